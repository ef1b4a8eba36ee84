# SPDX-License-Identifier: Apache-2.0
"""One rank of a training that averages gradients by all-reduces. One of the ranks works longer before each of them.

usage: all_reduce.py [--late-rank R] [--late-ms MS] [--steps N] [--type half|float] [--functional]
"""

import argparse
import os
import time

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as functional
from torch import nn


def sums_over_ranks(tensors, is_functional):
    if is_functional:
        return [functional.all_reduce(each, "sum", dist.group.WORLD) for each in tensors]
    works = [dist.all_reduce(each, async_op=True) for each in tensors]
    for work in works:
        work.wait()
    return tensors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--late-rank", type=int, default=-1)
    parser.add_argument("--late-ms", type=float, default=40)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--type", choices=["half", "float"], default="float")
    parser.add_argument("--functional", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    torch.manual_seed(3)
    net = nn.Linear(64, 16)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    torch.manual_seed(dist.get_rank())
    for _ in range(options.steps):
        optimizer.zero_grad()
        net(torch.randn(8, 64)).square().mean().backward()
        if dist.get_rank() == options.late_rank:
            time.sleep(options.late_ms / 1000)
        sent = [parameter.grad.to(getattr(torch, options.type)) for parameter in net.parameters()]
        for parameter, reduced in zip(net.parameters(), sums_over_ranks(sent, options.functional)):
            parameter.grad.copy_(reduced / dist.get_world_size())
        optimizer.step()
    dist.barrier()
    time.sleep(0.5)  # Gloo's threads need Python to free the last tensors
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    main()
