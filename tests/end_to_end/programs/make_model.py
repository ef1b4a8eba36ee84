# SPDX-License-Identifier: Apache-2.0
"""Writes a small TorchScript model: make_model.py FILE"""

import sys

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU())
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(self.layers(x).mean([2, 3]))


torch.manual_seed(0)
torch.jit.script(Net()).save(sys.argv[1])
