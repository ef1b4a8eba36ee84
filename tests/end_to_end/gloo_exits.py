#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ends a program of two ranks that never destroys its process group, plain and recorded by turns; counts failed exits.

A plain process with Gloo sometimes aborts while Python exits ("terminate called without an active exception"). So this
compares how often plain and recorded processes abort. Exits with 1 if recorded processes abort more often than chance
explains (one-sided, below 1 in 1,000).
"""

import argparse
import math
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", str(pathlib.Path(__file__).resolve())]
TIMEOUT_S = 120


def train():
    """Runs one rank."""
    import torch

    torch.distributed.init_process_group("gloo")
    net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(8, 4))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        net(torch.ones(4, 8)).sum().backward()
        optimizer.step()


def failed(command, folder):
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_S)
    if result.returncode == 0:
        return False
    words = [line for line in result.stderr.splitlines() if "terminate" in line or "what()" in line]
    print(f"  {'recorded' if command != PROGRAM else 'plain'}: exit code {result.returncode}: {'; '.join(words)}")
    return True


def chance_of(recorded, plain, exits):
    """Returns the probability of at least `recorded` failures among recorded exits if recording has no effect (Fisher).
    """
    both = recorded + plain
    ways = lambda k: math.comb(exits, k) * math.comb(exits, both - k)
    return sum(ways(k) for k in range(recorded, both + 1) if both - k <= exits) / math.comb(2 * exits, both)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--exits", type=int, default=50, help="how often each way is tried")
    options = parser.parse_args()
    ampprof = str((options.build / "bin" / "ampprof").resolve())
    counts = {"plain": 0, "recorded": 0}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.exits):
            counts["plain"] += failed(PROGRAM, folder)
            counts["recorded"] += failed([ampprof, "run", "--force", "-o", "r.ampprof", "--", *PROGRAM], folder)
    chance = chance_of(counts["recorded"], counts["plain"], options.exits)
    print(f"of {options.exits} exits failed: plain {counts['plain']}, recorded {counts['recorded']} (chance {chance:.3f})")
    return 1 if chance < 1e-3 else 0


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(train() if "RANK" in os.environ else main())
