# SPDX-License-Identifier: Apache-2.0
"""A small BERT: Apex's layer norm, FusedLAMB, two parameter groups, a warm-up schedule."""
import argparse

import torch
from apex import amp
from apex.normalization import FusedLayerNorm
from apex.optimizers import FusedLAMB

parser = argparse.ArgumentParser()
parser.add_argument("--opt_level", default="O1")
args = parser.parse_args()

torch.manual_seed(0)
words, width, heads = 60, 32, 4


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
        self.up, self.down = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)
        self.norm1, self.norm2 = FusedLayerNorm(width, eps=1e-12), FusedLayerNorm(width, eps=1e-12)

    def forward(self, x):
        batch, length, _ = x.shape
        q, k, v = (each.view(batch, length, heads, -1).transpose(1, 2) for each in self.qkv(x).chunk(3, -1))
        weights = torch.softmax(q @ k.transpose(-1, -2) / (width / heads) ** 0.5, -1)
        x = self.norm1(x + self.out((weights.to(v.dtype) @ v).transpose(1, 2).reshape(batch, length, width)))
        return self.norm2(x + self.down(torch.nn.functional.gelu(self.up(x))))


class Bert(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(words, width)
        self.layers = torch.nn.ModuleList(Layer() for _ in range(2))
        self.head = torch.nn.Linear(width, words)
        self.head.weight = self.embedding.weight

    def forward(self, tokens):
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


model = Bert()
decayed = [p for n, p in model.named_parameters() if p.dim() > 1]
others = [p for n, p in model.named_parameters() if p.dim() <= 1]
optimizer = FusedLAMB([{"params": decayed, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}], lr=4e-3)
model, optimizer = amp.initialize(model, optimizer, opt_level=args.opt_level, loss_scale="dynamic",
                                  master_weights=False if args.opt_level == "O2" else None)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 4))
losses = []
for i in range(6):
    tokens = torch.randint(words, (4, 12))
    loss = torch.nn.functional.cross_entropy(model(tokens).view(-1, words).float(), ((7 * tokens + 3) % words).view(-1))
    optimizer.zero_grad()
    with amp.scale_loss(loss, optimizer) as scaled_loss:
        scaled_loss.backward()
    optimizer.step()
    scheduler.step()
    losses.append(loss.item())
