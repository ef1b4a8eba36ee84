# SPDX-License-Identifier: Apache-2.0
# feature: custom autograd.Function: its forward runs with gradients off
# steps: 3
# loss: ^
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable

import program_state


class LinearFunction(Function):
    @staticmethod
    def forward(ctx, input, weight, bias):
        ctx.save_for_backward(input, weight)
        return input.mm(weight.t()) + bias

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        input, weight = ctx.saved_tensors
        return grad_output.mm(weight), grad_output.t().mm(input), grad_output.sum(0)


class StraightThrough(Function):
    @staticmethod
    def forward(ctx, x):
        return (x * 8).round() / 8

    @staticmethod
    def backward(ctx, grad):
        return grad.clone()


class Quantised(nn.Module):
    def __init__(self, n, m):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(m, n) / n**0.5)
        self.bias = nn.Parameter(torch.zeros(m))

    def forward(self, x):
        return LinearFunction.apply(x, StraightThrough.apply(self.weight), self.bias)


torch.set_num_threads(1)
torch.manual_seed(8)
net = nn.Sequential(Quantised(5, 9), nn.ReLU(), Quantised(9, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(torch.randn(7, 5)), torch.randint(3, (7,)))
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}")
program_state.save(net=net)
