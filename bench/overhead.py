# SPDX-License-Identifier: Apache-2.0
"""Measures the overhead of recording a Python training: mean and median step times relative to those of the plain
program, in alternating runs.

    OMP_NUM_THREADS=2 python bench/overhead.py build/bin/ampprof [--program resnet18] [--steps 40] [--rounds 3] [NAME ...]

NAME selects rows of RECORDINGS; `plain` always runs."""

import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

O1 = ["--levels", "O1"]
LOCAL = [*O1, "--no-inherited", "--no-impact"]
RECORDINGS = {
    "off": ["--reference", "off"],
    "default": [],
    "o1-off": [*O1, "--reference", "off"],
    "o1-local": LOCAL,
    "o1-impact": [*O1, "--no-inherited", "--impact"],
    "o1-impact-all": [*O1, "--no-inherited", "--impact", "--overhead", "off"],
    "o1-everything": [*O1, "--inherited", "--impact"],
    "o1-every-10": [*LOCAL, "--every", "10"],
    "unrecorded": ["--steps", "1:2"],
    "5%": ["--inherited", "--impact", "--overhead", "5%"],
    "1%": ["--inherited", "--impact", "--overhead", "1%"],
}


def resnet18(nn):
    class Block(nn.Module):
        def __init__(self, before, channels, stride):
            super().__init__()
            self.conv1 = nn.Conv2d(before, channels, 3, stride, 1, bias=False)
            self.bn1 = nn.BatchNorm2d(channels)
            self.conv2 = nn.Conv2d(channels, channels, 3, 1, 1, bias=False)
            self.bn2 = nn.BatchNorm2d(channels)
            self.down = nn.Identity()
            if stride > 1 or before != channels:
                self.down = nn.Sequential(nn.Conv2d(before, channels, 1, stride, bias=False), nn.BatchNorm2d(channels))

        def forward(self, x):
            y = self.bn1(self.conv1(x)).relu()
            return (self.bn2(self.conv2(y)) + self.down(x)).relu()

    layers, before = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)], 64
    for channels, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
        layers += [Block(before, channels, stride), Block(channels, channels, 1)]
        before = channels
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10)), (8, 3, 64, 64)


def mlp(nn):
    layers = [layer for _ in range(6) for layer in (nn.Linear(256, 256), nn.ReLU())]
    return nn.Sequential(*layers, nn.Linear(256, 10)), (256, 256)


def tiny(nn):
    return nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 10)), (16, 32)


PROGRAMS = {"resnet18": resnet18, "mlp": mlp, "tiny": tiny}


def train(program, steps):
    """Prints the mean and the median of a step, in milliseconds."""
    import torch

    torch.manual_seed(1)
    model, shape = PROGRAMS[program](torch.nn)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    times = []
    for _ in range(steps):
        begun = time.perf_counter()
        x, y = torch.randn(shape), torch.randint(10, shape[:1])
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
        times.append(1e3 * (time.perf_counter() - begun))
    print(f"mean {statistics.mean(times):.3f} median {statistics.median(times):.3f}")


def measured(words):
    done = subprocess.run(words, capture_output=True, text=True)
    found = re.search(r"mean ([\d.]+) median ([\d.]+)", done.stdout)
    if not found:
        raise SystemExit(f"{' '.join(words)}\n{done.stderr}")
    return float(found[1]), float(found[2])


def beside(own, plain, figure):
    ratios = [mine[figure] / theirs[figure] for mine, theirs in zip(own, plain)]
    time = statistics.median(each[figure] for each in own)
    return f"{time:8.2f} {statistics.median(ratios):6.3f} ({min(ratios):.2f} to {max(ratios):.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ampprof")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(RECORDINGS))
    parser.add_argument("--program", choices=PROGRAMS, default="resnet18")
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    program = [sys.executable, __file__, "--train", options.program, str(options.steps)]
    names = options.names or list(RECORDINGS)
    times = {name: [] for name in ("plain", *names)}
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "r.ampprof")
        for _ in range(options.rounds):
            for name, of_name in times.items():
                recorded = [options.ampprof, "run", "--force", "-o", str(report), *RECORDINGS.get(name, []), "--"]
                of_name.append(measured([*(recorded if name != "plain" else []), *program]))
    print(f"{options.program}, {options.steps} steps, {options.rounds} rounds: a step in ms, and beside plain (range)")
    print(f"{'':14} {'mean':>28} {'median':>28}")
    for name, of_name in times.items():
        print(f"{name:14} " + " ".join(beside(of_name, times["plain"], figure) for figure in (0, 1)))


if __name__ == "__main__":
    train(sys.argv[2], int(sys.argv[3])) if sys.argv[1:2] == ["--train"] else main()
