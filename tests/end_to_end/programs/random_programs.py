# SPDX-License-Identifier: Apache-2.0
"""Trains small random programs, each in its own recording, and writes the expected facts.
usage: random_programs.py SEED COUNT"""
import contextlib
import json
import random
import sys

import ampprof
import torch
from torch import nn

WIDTH = 6


class Chain(nn.Module):
    """Calls its parts in order, some of them several times."""

    def __init__(self, parts, repeats):
        super().__init__()
        self.parts = parts
        self.repeats = repeats

    def forward(self, x):
        parts = self.parts.values() if isinstance(self.parts, nn.ModuleDict) else self.parts
        for part, repeat in zip(parts, self.repeats):
            for _ in range(repeat):
                x = part(x)
        return x


def make(choose, depth, path, linears, calls):
    """Returns a module tree. Counts in `linears`, by path, how often a call of the root calls each linear layer."""
    if depth == 0:
        linears[path] = linears.get(path, 0) + calls
        return nn.Linear(WIDTH, WIDTH)
    count = choose.randint(1, 3)
    names = [f"p{i}" for i in range(count)]
    kind = choose.choice(["list", "dict", "sequential"])
    repeats = [1 if kind == "sequential" else choose.randint(1, 2) for _ in names]
    inner = [f"{path}.parts.{name if kind == 'dict' else i}" for i, name in enumerate(names)]
    if kind == "sequential":
        inner = [f"{path}.{i}" for i in range(count)]
    parts = [make(choose, depth - 1, place, linears, calls * repeat) for place, repeat in zip(inner, repeats)]
    if kind == "sequential":
        return nn.Sequential(*parts)
    return Chain(nn.ModuleDict(zip(names, parts)) if kind == "dict" else nn.ModuleList(parts), repeats)


class Net(nn.Module):
    def __init__(self, choose):
        super().__init__()
        self.linears = {}
        self.body = make(choose, choose.randint(1, 3), "body", self.linears, 1)
        self.head = nn.Linear(WIDTH, 1)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


class Refused(Exception):
    pass


class Program:
    """A random training program, and the facts that its report must state."""

    def __init__(self, seed):
        self.choose = choose = random.Random(seed)
        torch.manual_seed(seed)
        self.net = Net(choose)
        parameters = list(self.net.parameters())
        cut = choose.choice([0, len(parameters) // 2])
        groups = [group for group in (parameters[:cut], parameters[cut:]) if group]
        kind = choose.choice([torch.optim.SGD, torch.optim.AdamW])
        self.optimizers = [kind(group, lr=1e-3) for group in groups]
        self.accumulates = choose.choice([1, 1, 2, 3])
        self.clears_first = choose.random() < 0.5
        self.sets_none = choose.random() < 0.5
        self.clips = choose.random() < 0.3
        self.validates = choose.choice([None, None, "after the step", "behind the batch"])
        self.teacher = make(choose, 1, "", {}, 0).eval() if choose.random() < 0.4 else None
        self.casts = choose.random() < 0.5
        self.places = []  # [op, step] of each checked call; step 0 for no step, None if any step is right
        self.in_graph = False  # from the first forward of a step to its update
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0) if choose.random() < 0.3 else None
        self.may_skip = self.scaler is None and choose.random() < 0.4
        self.may_refuse = choose.random() < 0.4
        self.updates = [[0, 0] for _ in self.optimizers]  # [done, skipped] for each optimizer
        self.losses, self.steps, self.skipped, self.forwards, self.best = [], 0, 0, 0, float("inf")

    def clear(self):
        for optimizer in self.optimizers:
            optimizer.zero_grad(set_to_none=self.sets_none)

    def place(self, op, step):
        self.places.append([op, step])

    def batch(self, is_read=True):
        """Draws a batch for the next step. The test checks the steps of its sin and cos. Calls before the first forward
        are in step 1 or in none."""
        step = self.steps + 1 if self.forwards > 0 else None
        x = torch.sin(torch.randn(4, WIDTH))
        self.place("sin", step)
        if self.casts:
            x = (x.bfloat16() * (torch.rand(4, WIDTH) > 0.1)).float()
        target = None
        if self.teacher is not None:
            with torch.no_grad():
                target = torch.cos(self.teacher(x))
            self.place("cos", step if is_read else None)
        return x, target

    def validate(self):
        """Validates outside of steps. The test checks the steps of the ops sigmoid and trunc, unless a forward has no
        backward yet, which hides where a step begins."""
        step = None if self.in_graph or self.forwards == 0 else 0
        with torch.no_grad():
            error = torch.sigmoid(self.net(torch.randn(4, WIDTH))).mean()
        self.place("sigmoid", step)
        self.best = min(self.best, error.item())
        self.saved = {name: torch.trunc(value.detach()) for name, value in self.net.named_parameters()}
        for _ in self.saved:
            self.place("trunc", step)

    def backward(self, overflows):
        x, target = self.batch()
        if self.validates == "behind the batch":
            self.validate()
        out = self.net(x)
        loss = (out if target is None else out - target.mean()).square().mean()
        self.in_graph = True
        self.forwards += 1
        if overflows:
            loss = loss * float("inf")
        self.losses.append(loss.item())
        (loss if self.scaler is None else self.scaler.scale(loss)).backward()

    def update(self, overflows):
        for counts in self.updates:
            counts[overflows] += 1
        if self.scaler is None:
            if self.clips:
                nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            for optimizer in self.optimizers:
                optimizer.step()
            return
        for optimizer in self.optimizers:
            if self.clips:
                self.scaler.unscale_(optimizer)
                nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.scaler.step(optimizer)
        self.scaler.update()

    def iteration(self):
        if self.may_refuse and self.choose.random() < 0.3:
            self.net(self.batch(is_read=False)[0])
            self.in_graph = True
            self.forwards += 1
            raise Refused
        if self.clears_first:
            self.clear()
        overflows = self.scaler is not None and self.choose.random() < 0.3
        for _ in range(self.accumulates):
            self.backward(overflows)
        self.steps += 1
        if overflows:
            self.skipped += 1
        if self.may_skip and self.choose.random() < 0.3:
            norm = sum(float(p.grad.norm()) for p in self.net.parameters() if p.grad is not None)
            self.skipped += 1 if norm >= 0 else 0
        else:
            self.update(overflows)
        self.in_graph = False
        if not self.clears_first:
            self.clear()

    def run(self):
        for _ in range(self.choose.randint(3, 6)):
            with contextlib.suppress(Refused):
                self.iteration()
            if self.validates == "after the step":
                self.validate()

    def facts(self):
        """Returns the facts. A program that never updates only computes gradients, so it skips no updates."""
        updates = sorted(counts for counts in self.updates if any(counts))
        return {
            "steps": self.steps,
            "skipped": self.skipped if updates else 0,
            "losses": [repr(loss) for loss in self.losses],
            "updates": updates,
            "places": [[op, 0 if step is not None and step > self.steps else step] for op, step in self.places],
            "linears": {path: calls * self.forwards for path, calls in self.net.linears.items()},
        }


def main():
    seed, count = map(int, sys.argv[1:])
    torch.set_num_threads(1)
    for i in range(seed, seed + count):
        program = Program(i)
        with ampprof.record(f"{i}.ampprof", reference="off"):
            program.run()
        with open(f"{i}.json", "w") as file:
            json.dump(program.facts(), file)


main()
