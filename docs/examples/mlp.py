# SPDX-License-Identifier: Apache-2.0
"""Trains a classifier in FP32. The sizes of its layers suit every FP8 and FP4 recipe."""
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(1)
model = nn.Sequential(nn.Linear(128, 256), nn.GELU(), nn.Linear(256, 256), nn.GELU(), nn.Linear(256, 32))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(16):
    x = torch.randn(64, 128)
    loss = F.cross_entropy(model(x), x[:, :32].argmax(1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.4f}")
