# SPDX-License-Identifier: Apache-2.0
"""Runs one linear layer, forward and backward, on the CPU and on a GPU. Prints relative L2 distances as JSON: between
CPU and GPU for the output and for each gradient; as "rounded", between the GPU's output and FP64. With --recipe, CPU
and GPU round the operands to the same values, so their results differ only by the order of summation."""
import json

import torch

torch.manual_seed(0)
OPERANDS = torch.randn(64, 256), torch.randn(96, 256), torch.randn(96), torch.randn(64, 96)


def results(x, weight, bias, dy):
    leaves = [tensor.detach().requires_grad_() for tensor in (x, weight, bias)]
    y = torch.nn.functional.linear(*leaves)
    return [y.detach(), *torch.autograd.grad(y, leaves, dy)]


def distance(found, true):
    return ((found.double() - true.double()).norm() / true.double().norm()).item()


x, weight, bias, _ = (tensor.double() for tensor in OPERANDS)
exact = x @ weight.T + bias
here = results(*OPERANDS)
there = [tensor.cpu() for tensor in results(*(tensor.cuda() for tensor in OPERANDS))]
distances = {name: distance(b, a) for name, a, b in zip(("output", "dx", "dw", "db"), here, there)}
print(json.dumps({**distances, "rounded": distance(there[0], exact)}))
