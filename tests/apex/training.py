# SPDX-License-Identifier: Apache-2.0
"""Shared parts of the tests of amp: a small model at a level, and one training step."""

import contextlib
import io
import unittest

import torch
from apex import amp

LEVELS = ("O0", "O1", "O2", "O3")


class AmpTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        self.addCleanup(amp.shutdown)


def set_up(level="O1", model=None, optimizer=None, **options):
    model = torch.nn.Linear(4, 2) if model is None else model
    optimizer = torch.optim.SGD(model.parameters(), 0.5) if optimizer is None else optimizer
    return amp.initialize(model, optimizer, opt_level=level, verbosity=0, **options)


def train(model, optimizer, inputs, factor=1.0):
    optimizer.zero_grad()
    loss = model(inputs).float().pow(2).mean() * factor
    with amp.scale_loss(loss, optimizer) as scaled_loss:
        scaled_loss.backward()
    optimizer.step()
    return loss.item()


class Holder(torch.nn.Module):
    """A model whose forward calls a given function."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *values):
        return self.function(*values)


def output_of(call):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        call()
    return printed.getvalue()
