# SPDX-License-Identifier: Apache-2.0
"""Trains a net in which every recipe converts all layers but the last. Prints its losses and weights exactly. With
`bf16` it trains in torch.autocast."""

import sys
from contextlib import nullcontext

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(32, 32, 3, padding=1)
        self.body = nn.Sequential(nn.Linear(512, 64), nn.ReLU(), nn.Linear(64, 64))
        self.head = nn.Linear(64, 10)

    def forward(self, x):
        return self.head(self.body(self.conv(x).flatten(1)))


torch.manual_seed(1)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
x, target = torch.randn(32, 32, 4, 4), torch.randint(10, (32,))
for _ in range(6):
    optimizer.zero_grad()
    with torch.autocast("cpu", torch.bfloat16) if sys.argv[1:] == ["bf16"] else nullcontext():
        loss = nn.functional.cross_entropy(net(x).float(), target)
    loss.backward()
    optimizer.step()
    print(loss.item().hex())
print(sum(p.double().sum().item() for p in net.parameters()).hex())
