# SPDX-License-Identifier: Apache-2.0
"""Tests that pytest runs while ampprof records: one passes, one fails, one calls no op, one overflows."""

import torch


def test_passes():
    weight = torch.ones(4, requires_grad=True)
    (weight * 2).sum().backward()
    assert weight.grad[0] == 2


def test_fails():
    assert torch.ones(2).sum() == 3


def test_without_an_op():
    assert 1 + 1 == 2


def test_overflows():
    weight = torch.full((4,), 300.0, dtype=torch.float16, requires_grad=True)
    (weight * weight).sum().backward()
