# SPDX-License-Identifier: Apache-2.0
"""Trains a classifier in which some matmuls do not tolerate a 4-bit recipe, for recipe_training.py.

usage: outlier.py [--steps 500] [--seed N] [--width 128]

The classifier learns the classes that a random network assigns to random vectors. One feature is a hundred times larger
than the others, like outlier channels of trained transformers. The scale of its block of 16 features flushes the rest
of the block to zero. Prints the loss on held-out examples."""

import argparse

import torch
from torch import nn
from torch.nn import functional

CLASSES, BATCH, HELD_OUT, BLOCKS = 32, 128, 2048, 2
OUTLIER, SIZE = 3, 100.0


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(functional.gelu(self.up(self.norm(x))))


class Classifier(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.stem = nn.Linear(width, width)
        with torch.no_grad():
            self.stem.weight[:, OUTLIER] /= SIZE  # compensates the outlier, as training would
        self.blocks = nn.ModuleList(Block(width) for _ in range(BLOCKS))
        self.head = nn.Linear(width, CLASSES)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def examples(count, width, teacher, generator=None):
    x = torch.randn(count, width, generator=generator)
    classes = teacher(x[:, :16]).argmax(1)  # depend only on the outlier's block
    x[:, OUTLIER] *= SIZE
    return x, classes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--seed", type=int, help="else the program is the same each time, or what it is told from outside")
    parser.add_argument("--width", type=int, default=128)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    if arguments.seed is not None:
        torch.manual_seed(arguments.seed)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        teacher = nn.Sequential(nn.Linear(16, 64), nn.Tanh(), nn.Linear(64, CLASSES)).requires_grad_(False)
    model = Classifier(arguments.width)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for _ in range(arguments.steps):
        x, classes = examples(BATCH, arguments.width, teacher)
        loss = functional.cross_entropy(model(x), classes)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        x, classes = examples(HELD_OUT, arguments.width, teacher, torch.Generator().manual_seed(12345))
        print("held out", functional.cross_entropy(model(x), classes).item())


if __name__ == "__main__":
    main()
