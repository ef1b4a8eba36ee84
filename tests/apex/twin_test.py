# SPDX-License-Identifier: Apache-2.0
"""Trains one model with `apex`, and with amp_core in C++. Losses and weights must be bitwise equal.
Usage: twin_test.py TWIN, where TWIN is the program built from twin.cpp."""

import itertools
import pathlib
import subprocess
import sys
import tempfile
import unittest

import torch
from apex import amp
from apex.optimizers import FusedAdam, FusedLAMB

TWIN = sys.argv.pop(1)
OPTIMIZERS = {
    "sgd": lambda parameters: torch.optim.SGD(parameters, 0.05, weight_decay=1e-3),
    "adam": lambda parameters: FusedAdam(parameters, 1e-3),
    "lamb": lambda parameters: FusedLAMB(parameters, 1e-2),
}


def make_model():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3, bias=False), torch.nn.BatchNorm2d(8), torch.nn.ReLU(),
                               torch.nn.Flatten(), torch.nn.Linear(8 * 6 * 6, 10))


def train(level, name, images, targets):
    model = make_model()
    optimizer = OPTIMIZERS[name](model.parameters())
    model, optimizer = amp.initialize(model, optimizer, opt_level=level, verbosity=0)
    losses = []
    for batch, target in zip(images, targets):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(batch), target)
        with amp.scale_loss(loss, optimizer) as scaled_loss:
            scaled_loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    made = {"losses": torch.stack(losses), **model.state_dict()}
    amp.shutdown()
    return made


class Twin(unittest.TestCase):
    def test_losses_and_weights_have_the_bits_of_the_program_in_cpp(self):
        torch.manual_seed(1)
        images, targets = torch.randn(6, 4, 3, 8, 8), torch.randint(10, (6, 4))
        images[3] *= 3e5  # overflows in FP16
        with tempfile.TemporaryDirectory() as folder:
            given, made = pathlib.Path(folder, "in.pt"), pathlib.Path(folder, "out.pt")
            torch.save({**dict(make_model().named_parameters()), "images": images, "targets": targets}, given)
            subprocess.run([TWIN, given, made], check=True)
            expected = torch.load(made, weights_only=False)
        for level, name in itertools.product(("O0", "O1", "O2", "O3"), OPTIMIZERS):
            with self.subTest(level=level, optimizer=name):
                found = train(level, name, images, targets)
                self.assertGreater(len(found), 5)
                for key, tensor in found.items():
                    other = expected[f"{level}.{name}.{key}"]
                    same = torch.equal(tensor.nan_to_num(7.0), other.nan_to_num(7.0))
                    self.assertTrue(same, f"{level} {name} {key}: they differ by {(tensor - other).abs().max()} {tensor} {other}")

    def test_a_step_was_skipped_and_training_went_on(self):
        torch.manual_seed(1)
        images, targets = torch.randn(6, 4, 3, 8, 8), torch.randint(10, (6, 4))
        images[3] *= 3e5
        losses = train("O1", "sgd", images, targets)["losses"]
        self.assertEqual(losses.isfinite().tolist(), [True, True, True, False, True, True])


if __name__ == "__main__":
    unittest.main()
