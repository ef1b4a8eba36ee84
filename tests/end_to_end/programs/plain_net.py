# SPDX-License-Identifier: Apache-2.0
"""A Python training program without mixed precision."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.head = nn.Sequential(nn.Linear(144, 8), nn.Linear(8, 4))

    def forward(self, x):
        return self.head(self.conv(x).flatten(1))


torch.manual_seed(1)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(net(torch.randn(8, 1, 8, 8)), torch.randint(4, (8,)))
    loss.backward()
    optimizer.step()
