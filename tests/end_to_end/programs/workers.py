# SPDX-License-Identifier: Apache-2.0
"""Trains in processes that another process starts, as launchers do.

usage: workers.py METHOD [--constants] [--parent-trains] [--workers N]
"""

import argparse
import os

import torch
from torch import nn


def train(rank, steps=3):
    os.environ["RANK"] = str(rank)
    torch.manual_seed(3)
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        net(torch.randn(16, 4)).square().mean().backward()
        optimizer.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("method", choices=["spawn", "fork", "forkserver", "rank"])
    parser.add_argument("--constants", action="store_true")
    parser.add_argument("--parent-trains", action="store_true")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    if options.method == "rank":  # started by a launcher
        return train(int(os.environ["RANK"]))
    if options.constants:
        torch.tensor([0.485, 0.456]).sqrt()  # a constant, as many scripts compute at the top
    if options.parent_trains:
        train(0)
    context = torch.multiprocessing.get_context(options.method)
    workers = [context.Process(target=train, args=(rank + 1,)) for rank in range(options.workers)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    print("done")


if __name__ == "__main__":
    main()
