# SPDX-License-Identifier: Apache-2.0
"""Trains a small model under torch.compile() and prints the share of a step's time that PyTorch's profiler measures
inside compiled regions. Under `ampprof run`, the report has ampprof's measurement of this share in `missing`.

    python bench/compiled_share.py gpt|cnn [--eager-backend]"""

import sys

import torch
from torch import nn
from torch.nn import functional as F
from torch.profiler import ProfilerActivity, profile, record_function

_WARM_UP, _MEASURED = 8, 12


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.projection = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, tokens, width = x.shape
        heads = (part.view(batch, tokens, self.heads, -1).transpose(1, 2) for part in self.qkv(self.norm1(x)).split(width, 2))
        attended = F.scaled_dot_product_attention(*heads, is_causal=True)
        x = x + self.projection(attended.transpose(1, 2).reshape(batch, tokens, width))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Gpt(nn.Module):
    def __init__(self, words=256, width=128, heads=4, layers=4, tokens=64):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(tokens, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words)

    def forward(self, ids):
        x = self.words(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)).flatten(0, 1)


def cnn(channels=24, classes=10):
    def layer(taken, given):
        return [nn.Conv2d(taken, given, 3, padding=1, bias=False), nn.BatchNorm2d(given), nn.ReLU(), nn.MaxPool2d(2)]

    return nn.Sequential(*layer(3, channels), *layer(channels, 2 * channels), nn.Flatten(), nn.Linear(128 * channels, classes))


def batch_for(name):
    if name == "cnn":
        return torch.randn(32, 3, 32, 32), torch.randint(10, (32,))
    ids = torch.randint(256, (16, 65))
    return ids[:, :-1], ids[:, 1:].reshape(-1)


def main():
    torch.manual_seed(0)
    name = sys.argv[1]
    model = Gpt() if name == "gpt" else cnn()
    compiled = torch.compile(model, backend="aot_eager" if "--eager-backend" in sys.argv else "inductor")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    inputs, targets = batch_for(name)

    def step():
        loss = F.cross_entropy(compiled(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    for _ in range(_WARM_UP):
        step()
    with profile(activities=[ProfilerActivity.CPU]) as profiler:
        for _ in range(_MEASURED):
            with record_function("one step"):
                loss = step()
    times = {event.key: event.cpu_time_total for event in profiler.key_averages()}
    inside = sum(time for key, time in times.items() if key.startswith("Torch-Compiled Region"))
    inside += times.get("CompiledFunctionBackward", 0)
    print(f"loss {loss:.6f}")
    print(f"PyTorch's profiler: {100 * inside / times['one step']:.1f}% of the steps' time in compiled regions")


if __name__ == "__main__":
    main()
