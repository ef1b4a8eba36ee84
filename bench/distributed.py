# SPDX-License-Identifier: Apache-2.0
"""Compares the time of backward, including the all-reduce of gradients between two Gloo ranks, with amp_core's
DistributedDataParallel in C++ and with PyTorch's in Python.

    python bench/distributed.py build/bin/bench_distributed [ROUNDS]

Alternates rounds of both. Prints each round's median times, the bytes that each sends, and the ratio of the times
(median and range of the rounds)."""
import os
import socket
import statistics
import subprocess
import sys

STEPS = 30
WARM_UP = 5
WIDTH = 1024
LAYERS = 6


def rank_of_python():
    import time

    import torch
    import torch.distributed as dist

    def loopback():
        with open("/sys/class/net/lo/statistics/tx_bytes") as file:
            return int(file.read())

    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    layers = [layer for _ in range(LAYERS) for layer in (torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU())]
    parallel = torch.nn.parallel.DistributedDataParallel(torch.nn.Sequential(*layers))
    optimizer = torch.optim.SGD(parallel.parameters(), 0.01)
    x = torch.randn(32, WIDTH)
    times = []
    for step in range(WARM_UP + STEPS):
        if step == WARM_UP:
            before = loopback()
        optimizer.zero_grad()
        loss = parallel(x).square().mean()
        begin = time.perf_counter()
        loss.backward()
        if step >= WARM_UP:
            times.append((time.perf_counter() - begin) * 1e3)
    if dist.get_rank() == 0:
        print(statistics.median(times), (loopback() - before) // STEPS)


def on_two_ranks(command):
    """Runs `command` as two ranks. Returns rank 0's median time of a backward in ms, and the bytes sent in it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    ranks = []
    for rank in range(2):
        environment = dict(os.environ, RANK=str(rank), WORLD_SIZE="2", LOCAL_RANK=str(rank), MASTER_ADDR="127.0.0.1",
                           MASTER_PORT=str(port), GLOO_SOCKET_IFNAME="lo", OMP_NUM_THREADS="1")
        ranks.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
    out = [rank.communicate()[0] for rank in ranks]
    milliseconds, sent = out[0].split()[-2:]
    return float(milliseconds), int(sent)


def main():
    program = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    ratios = []
    for _ in range(rounds):
        of_cpp, sent_by_cpp = on_two_ranks([program, str(STEPS)])
        of_python, sent_by_python = on_two_ranks([sys.executable, __file__, "--rank"])
        ratios.append(of_cpp / of_python)
        print(f"amp_core {of_cpp:.1f} ms, {sent_by_cpp} bytes; PyTorch {of_python:.1f} ms, {sent_by_python} bytes", flush=True)
    print(f"amp_core / PyTorch: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    rank_of_python() if "--rank" in sys.argv else main()
