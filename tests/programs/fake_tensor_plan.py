# SPDX-License-Identifier: Apache-2.0
# feature: FakeTensorMode: shapes and memory of a model planned before it is built
# steps: 2
# loss: loss
import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

import program_state


def build(width):
    return nn.Sequential(nn.Conv2d(3, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(), nn.Conv2d(width, 2, 1))


def plan(width):
    """Runs a step without memory to learn what it would need."""
    with FakeTensorMode():
        model = build(width)
        out = model(torch.randn(8, 3, 32, 32))
        out.mean().backward()
        bytes_needed = sum(p.numel() * p.element_size() * 2 for p in model.parameters())
        return tuple(out.shape), bytes_needed


torch.set_num_threads(1)
for width in (8, 512):
    print(width, *plan(width))

torch.manual_seed(0)
model = build(4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(2):
    optimizer.zero_grad()
    loss = model(torch.randn(2, 3, 8, 8)).square().mean()
    loss.backward()
    optimizer.step()
    print(f"loss {loss.item():.6f}")
program_state.save(model=model)
