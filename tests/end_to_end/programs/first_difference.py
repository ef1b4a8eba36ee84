# SPDX-License-Identifier: Apache-2.0
# A small model with one planted difference: python first_difference.py [PLANT]. Each plant's line says "plant: NAME".
import sys

import torch
import torch.nn.functional as F
from torch import nn

plant = sys.argv[1] if len(sys.argv) > 1 else ""
torch.manual_seed(0)
torch.set_num_threads(1)
conv = nn.Conv2d(1, 8, 3)
hidden = nn.Linear(8 * 36, 32)
head = nn.Linear(32, 4)
optimizer = torch.optim.SGD([*conv.parameters(), *hidden.parameters(), *head.parameters()], lr=0.1)
if plant == "weight_bit":
    with torch.no_grad():
        hidden.weight.view(torch.int32)[3, 5] ^= 1 << 12


def tf32(x):
    return (x.view(torch.int32) + 0x1000 & ~0x1FFF).view(torch.float32) if plant == "tf32" else x


for step in range(3):
    x = torch.randn(16, 1, 8, 8)
    target = torch.arange(16) % 4
    if plant == "batch" and step == 1:
        x = x.flip(0)
    y = conv(x)  # plant: batch
    y = F.relu(y)
    y = y.flatten(1)
    if plant == "seed" and step == 1:
        torch.manual_seed(99)
    y = F.dropout(y, 0.2)  # plant: seed
    y = hidden(y)  # plant: weight_bit
    y = torch.tanh(y.double()).float() if plant == "type" else torch.tanh(y)  # plant: type
    with torch.no_grad():
        rounded = tf32(y)
    y = head(y + (rounded - y).detach())  # plant: tf32
    total = (y * y).flip(0).sum() if plant == "order" else (y * y).sum()  # plant: order
    loss = F.cross_entropy(y, target) + 0.001 * total
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
