# SPDX-License-Identifier: Apache-2.0
"""One rank of a training in which all ranks compute the same, so that parameters agree without a collective.

usage: replicas.py [--optimizer sgd|foreach|adam|fused|by-hand] [--steps N] [--flip-rank R --flip-after STEP] [--shard]
"""

import argparse
import os

import torch
from torch import nn


class ByHand:
    def __init__(self, parameters):
        self.parameters = list(parameters)

    def zero_grad(self):
        for parameter in self.parameters:
            parameter.grad = None

    def step(self):
        with torch.no_grad():
            for parameter in self.parameters:
                parameter -= 0.1 * parameter.grad


OPTIMIZERS = {
    "sgd": lambda parameters: torch.optim.SGD(parameters, lr=0.1, weight_decay=0.01, foreach=False),
    "foreach": lambda parameters: torch.optim.AdamW(parameters, lr=0.01, foreach=True),
    "adam": lambda parameters: torch.optim.Adam(parameters, lr=0.01, foreach=False),
    "fused": lambda parameters: torch.optim.Adam(parameters, lr=0.01, fused=True),
    "by-hand": ByHand,
}


class Net(nn.Module):
    def __init__(self, shard_of):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.last = nn.Linear(8, 2)
        # A part that differs between ranks, as in tensor parallelism.
        self.shard = None if shard_of is None else nn.Parameter(torch.full((8,), 1.0 + shard_of))

    def forward(self, x):
        hidden = torch.relu(self.first(x))
        return self.last(hidden if self.shard is None else hidden * self.shard)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--optimizer", choices=OPTIMIZERS, default="sgd")
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--flip-rank", type=int, default=-1)
    parser.add_argument("--flip-after", type=int, default=0)
    parser.add_argument("--shard", action="store_true")
    options = parser.parse_args()
    rank = int(os.environ["RANK"])
    torch.manual_seed(3)
    torch.set_num_threads(1)
    net = Net(rank if options.shard else None)
    optimizer = OPTIMIZERS[options.optimizer](net.parameters())
    for step in range(1, options.steps + 1):
        optimizer.zero_grad()
        net(torch.randn(16, 4)).square().mean().backward()
        optimizer.step()
        if rank == options.flip_rank and step == options.flip_after:
            net.last.weight.data.view(torch.int32)[0, 0] ^= 1 << 12


if __name__ == "__main__":
    main()
