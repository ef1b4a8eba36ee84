# SPDX-License-Identifier: Apache-2.0
"""Autograd functions of the script, one of them registered as FP32, and a batch class with `to`."""
import argparse

import torch
from apex import amp

parser = argparse.ArgumentParser()
parser.add_argument("--opt_level", default="O1")
args = parser.parse_args()

torch.manual_seed(0)
seen = []


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        seen.append(x.dtype)
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * 3 * x * x


@amp.float_function
def cube(x):
    return Cube.apply(x)


class Batch:
    def __init__(self, data, name):
        self.data, self.name = data, name

    def to(self, dtype):
        return Batch(self.data.to(dtype), self.name)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(16, 16), torch.nn.Linear(16, 1)

    def forward(self, batch):
        return self.second(cube(self.first(batch.data)).to(self.second.weight.dtype))


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
model, optimizer = amp.initialize(model, optimizer, opt_level=args.opt_level)
losses = []
for t in range(8):
    loss = model(Batch(torch.randn(16, 16), "train")).pow(2).mean()
    optimizer.zero_grad()
    with amp.scale_loss(loss, optimizer) as scaled_loss:
        scaled_loss.backward()
    optimizer.step()
    losses.append(loss.item())
