# SPDX-License-Identifier: Apache-2.0
"""Tests activation checkpointing with torch.utils.checkpoint under the casts of O1.

Usage: recompute_in_python.py <libamp_core.so>

Runs each program with and without checkpoints. Recomputed results must be bitwise equal to the first ones, and
gradients to those of the program without checkpoints.
"""
import ctypes
import sys
import unittest

import torch
from torch.utils.checkpoint import checkpoint, set_checkpoint_early_stop

KINDS = {"reentrant": True, "without_reentry": False}


class Block(torch.nn.Module):
    """Two products with an FP32 function between them. Records its results, and whether they are recomputed."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(1)
        self.first = torch.nn.Linear(8, 8)
        self.second = torch.nn.Linear(8, 8)
        self.seen = []

    def forward(self, x):
        y = self.second(torch.softmax(self.first(x), -1))
        self.seen.append(y.detach().clone())
        return y


class Product(torch.autograd.Function):
    """A user's autograd function with a product in it."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return torch.mm(x, w)

    @staticmethod
    def backward(ctx, gradient):
        x, w = ctx.saved_tensors
        gradient = gradient.float()
        Product.type_in_backward = torch.mm(gradient, w.t()).dtype
        return torch.mm(gradient, w.t()), torch.mm(x.t(), gradient)


class AskingForAutocast(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu")
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return torch.mm(x, w)

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx, gradient):
        x, w = ctx.saved_tensors  # FP32, while the gradient is half: without casts mm would fail
        AskingForAutocast.type_in_backward = torch.mm(gradient, w.t()).dtype
        return torch.mm(gradient, w.t()).float(), torch.mm(x.t(), gradient).float()


def gradients_of(wrapped, create_graph=False):
    block = Block()
    torch.manual_seed(2)
    x = torch.randn(4, 8, requires_grad=True)
    wrapped(block, x).float().pow(2).sum().backward(create_graph=create_graph)
    return block, [x.grad, *(parameter.grad for parameter in block.parameters())]


class Recompute(unittest.TestCase):
    def check(self, wrapped, runs, create_graph=False):
        _, expected = gradients_of(lambda block, x: block(x), create_graph)
        block, gradients = gradients_of(wrapped, create_graph)
        self.assertEqual(len(block.seen), runs)
        for again in block.seen:
            self.assertEqual(again.dtype, torch.half)
            self.assertTrue(torch.equal(again, block.seen[0]))
        for gradient, plain in zip(gradients, expected):
            self.assertTrue(torch.equal(gradient, plain))

    def test_both_kinds(self):
        for name, reentrant in KINDS.items():
            with self.subTest(name):
                self.check(lambda block, x: checkpoint(block, x, use_reentrant=reentrant), runs=2)

    def test_nested_in_each_other(self):
        for outer_name, outer in KINDS.items():
            for inner_name, inner in KINDS.items():
                with self.subTest(f"{inner_name} in {outer_name}"):

                    def wrapped(block, x):
                        def inside(y):
                            return checkpoint(block, y, use_reentrant=inner)

                        return checkpoint(inside, x, use_reentrant=outer)

                    self.check(wrapped, runs=3)

    def test_a_function_of_the_users_own(self):
        for name, reentrant in KINDS.items():
            with self.subTest(name):
                seen = []

                def inside(x, w):
                    seen.append(Product.apply(x, w))
                    return seen[-1]

                x = torch.randn(8, 8, requires_grad=True)
                w = torch.randn(8, 8, requires_grad=True)
                checkpoint(inside, x, w, use_reentrant=reentrant).float().sum().backward()
                self.assertEqual(len(seen), 2)
                self.assertEqual(seen[1].dtype, torch.half)
                self.assertTrue(torch.equal(seen[0], seen[1]))
                self.assertEqual(Product.type_in_backward, torch.float, "nothing is cast in a backward")

    def test_a_part_without_gradients(self):
        for name, reentrant in KINDS.items():
            with self.subTest(name):
                teacher = Block()

                def inside(block, x):
                    with torch.no_grad():
                        target = teacher(x)
                    return block(x) - target

                gradients_of(lambda block, x: checkpoint(inside, block, x, use_reentrant=reentrant))
                self.assertEqual(len(teacher.seen), 2)
                self.assertTrue(torch.equal(teacher.seen[0], teacher.seen[1]))
                self.assertEqual(teacher.seen[1].dtype, torch.half)

    def test_a_pass_that_records_gradients(self):
        self.check(lambda block, x: checkpoint(block, x, use_reentrant=False), runs=2, create_graph=True)

    def test_a_backward_that_asks_for_autocast(self):
        x = torch.randn(8, 8, requires_grad=True)
        w = torch.randn(8, 8, requires_grad=True)
        AskingForAutocast.apply(x, w).sum().backward()
        self.assertEqual(AskingForAutocast.type_in_backward, torch.half)

    def test_an_update_after_recomputation_is_seen(self):
        for name, reentrant in KINDS.items():
            with self.subTest(name):
                block = Block()
                x = torch.randn(4, 8, requires_grad=True)
                checkpoint(block, x, use_reentrant=reentrant).float().sum().backward()
                block.first.weight.data.zero_()
                block.second.weight.data.zero_()
                self.assertTrue(torch.equal(block(x), block.second.bias.half().expand(4, 8)))


if __name__ == "__main__":
    library = ctypes.CDLL(sys.argv.pop(1))
    library._ZN3amp27enable_casts_on_this_threadEv()
    with set_checkpoint_early_stop(False):  # otherwise a recomputation stops before it is noted
        unittest.main()
