# SPDX-License-Identifier: Apache-2.0
"""One rank of a training that averages gradients by all-reduces, before which one rank works longer.

usage: all_reduce.py [--late-rank R] [--late-ms MS] [--steps N] [--type half|float]
"""

import argparse
import os
import time

import torch
import torch.distributed as dist
from torch import nn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--late-rank", type=int, default=-1)
    parser.add_argument("--late-ms", type=float, default=40)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--type", choices=["half", "float"], default="float")
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
        pending = []
        for parameter in net.parameters():
            sent = parameter.grad.to(getattr(torch, options.type))
            pending.append((parameter, sent, dist.all_reduce(sent, async_op=True)))
        for parameter, sent, work in pending:
            work.wait()
            parameter.grad.copy_(sent / dist.get_world_size())
        optimizer.step()
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    main()
