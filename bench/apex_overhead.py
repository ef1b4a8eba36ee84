# SPDX-License-Identifier: Apache-2.0
"""Compares the overhead of amp.scale_loss() and optimizer.step() of `apex` with that of torch.amp: GradScaler, and the
end of an autocast region, which empties the cast cache as scale_loss() does. Alternates steps of both at O1, for a
model with 100 parameters, and times each without its forward and backward.
Usage: apex_overhead.py [ROUNDS], with the package on PYTHONPATH."""

import gc
import statistics
import sys
import time

import torch
from apex import amp

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 500
INPUT = torch.randn(4, 16)


def make_model():
    torch.manual_seed(0)
    model = torch.nn.Sequential(*(torch.nn.Linear(16, 16) for _ in range(50)))
    return model, torch.optim.SGD(model.parameters(), lr=1e-3)


def seconds_of(work):
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result


def native():
    """Trains with GradScaler. Yields the overhead of each step in seconds."""
    model, optimizer = make_model()
    scaler = torch.amp.GradScaler("cpu")

    def end():
        scaler.step(optimizer)
        scaler.update()

    while True:
        optimizer.zero_grad()
        region = torch.autocast("cpu", torch.float16)
        entered, _ = seconds_of(region.__enter__)
        loss = model(INPUT).float().pow(2).mean()
        left, _ = seconds_of(lambda: region.__exit__(None, None, None))
        scaling, scaled = seconds_of(lambda: scaler.scale(loss))
        scaled.backward()
        yield entered + left + scaling + seconds_of(end)[0]


def ours():
    """Trains with apex. Yields the overhead of each step in seconds."""
    model, optimizer = amp.initialize(*make_model(), opt_level="O1", verbosity=0)

    def end():
        block.__exit__(None, None, None)
        optimizer.step()

    while True:
        optimizer.zero_grad()
        loss = model(INPUT).float().pow(2).mean()
        block = amp.scale_loss(loss, optimizer)
        scaling, scaled = seconds_of(block.__enter__)
        scaled.backward()
        yield scaling + seconds_of(end)[0]


torch.set_num_threads(1)
loops = native(), ours()
times = [[], []]
for _ in range(20):
    for loop in loops:
        next(loop)
gc.disable()
for _ in range(ROUNDS):
    for loop, list_of_times in zip(loops, times):
        list_of_times.append(next(loop))
medians = [statistics.median(each) for each in times]
print(f"torch.amp {medians[0] * 1e6:.0f} us, apex {medians[1] * 1e6:.0f} us, ratio {medians[1] / medians[0]:.2f} "
      f"(medians of {ROUNDS} steps in turn)")
