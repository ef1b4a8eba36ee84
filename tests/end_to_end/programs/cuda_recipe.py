# SPDX-License-Identifier: Apache-2.0
"""Computes a layer's output and gradients on the CPU and on a GPU or the fake CUDA runtime. Prints whether they are
equal except for the order of sums, and how often the program waited for the device."""
import ctypes

import torch

stand_in = ctypes.CDLL(None)
stand_in.fake_cuda_count.restype = ctypes.c_long
torch.manual_seed(0)
x, weight, bias, dy = torch.randn(32, 64), torch.randn(96, 64), torch.randn(96), torch.randn(32, 96)
# Copied in advance, so that the program's own copies are not counted.
on_gpu = [tensor.cuda() for tensor in (x, weight, bias, dy)]


def results(x, weight, bias, dy):
    leaves = [tensor.detach().requires_grad_() for tensor in (x, weight, bias)]
    y = torch.nn.functional.linear(*leaves)
    return [y.detach(), *torch.autograd.grad(y, leaves, dy)]


here = results(x, weight, bias, dy)
before = stand_in.fake_cuda_count(b"synchronizations")
there = results(*on_gpu)
waits = stand_in.fake_cuda_count(b"synchronizations") - before
near = [torch.allclose(a, b.cpu(), rtol=1e-4, atol=1e-4 * a.abs().max().item()) for a, b in zip(here, there)]
print(near, waits)
