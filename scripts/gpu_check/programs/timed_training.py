# SPDX-License-Identifier: Apache-2.0
"""Trains a transformer or a convolutional network under autocast with a GradScaler. Prints the milliseconds per step as
JSON: the best of RUNS measurements of STEPS steps. Each measurement ends with one synchronization."""
import json
import sys
import time

import torch
from torch import nn

WIDTH, LAYERS, STEPS, RUNS = (512, 6, 20, 5) if torch.cuda.get_device_properties(0).total_memory > 16 << 30 else (32, 1, 2, 2)


def transformer():
    layer = nn.TransformerEncoderLayer(WIDTH, 8, 4 * WIDTH, dropout=0.0, batch_first=True)
    return nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False), torch.randn(16, WIDTH // 4, WIDTH)


def cnn():
    def block(width):
        return [nn.Conv2d(width, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU()]

    width = WIDTH // 4
    return nn.Sequential(nn.Conv2d(3, width, 3, padding=1), *(part for _ in range(LAYERS) for part in block(width))), torch.randn(
        32, 3, 64, 64)


torch.manual_seed(0)
model, batch = {"transformer": transformer, "cnn": cnn}[sys.argv[1]]()
model, batch = model.cuda(), batch.cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
scaler = torch.amp.GradScaler("cuda", init_scale=1024)


def train(steps):
    for _ in range(steps):
        optimizer.zero_grad()
        with torch.autocast("cuda", torch.float16):
            loss = model(batch).float().square().mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    torch.cuda.synchronize()


train(STEPS)
times = []
for _ in range(RUNS):
    begun = time.monotonic()
    train(STEPS)
    times.append((time.monotonic() - begun) * 1000 / STEPS)
print(json.dumps({"ms": min(times)}))
