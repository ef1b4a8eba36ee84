# SPDX-License-Identifier: Apache-2.0
"""One rank of a training, with a data loader of two processes. A launcher starts the ranks.

usage: loading_ranks.py [--kill RANK] [--idle]
"""

import argparse
import os
import signal

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(rank, killed):
    dist.init_process_group("gloo")
    torch.manual_seed(rank)
    data = TensorDataset(torch.randn(24, 4), torch.randn(24, 2))
    torch.manual_seed(3)
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step, (inputs, targets) in enumerate(DataLoader(data, batch_size=8, num_workers=2)):
        optimizer.zero_grad()
        loss = (net(inputs) - targets).square().mean()
        loss.backward()
        if rank == killed and step == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        for parameter in net.parameters():
            dist.all_reduce(parameter.grad)
        optimizer.step()
        if rank == 0:
            print(f"{loss.item():.9f}", flush=True)
    torch.save(net.state_dict(), f"weights{rank}.pt")
    dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kill", type=int)
    parser.add_argument("--idle", action="store_true")
    options = parser.parse_args()
    if not options.idle:
        train(int(os.environ["RANK"]), options.kill)


if __name__ == "__main__":
    main()
