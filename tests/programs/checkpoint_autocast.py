# SPDX-License-Identifier: Apache-2.0
# feature: activation checkpointing inside bf16 autocast
# steps: 3
# loss: ^\S+
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

import program_state

torch.set_num_threads(1)
torch.manual_seed(5)
layers = nn.Sequential(*[nn.Sequential(nn.Linear(16, 16), nn.ReLU()) for _ in range(4)])
head = nn.Linear(16, 1)
opt = torch.optim.SGD([*layers.parameters(), *head.parameters()], lr=0.05)
for i in range(3):
    x = torch.randn(8, 16, requires_grad=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        h = checkpoint_sequential(layers, 2, x, use_reentrant=bool(i % 2))
        loss = checkpoint(head, h, use_reentrant=False).float().pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(i, f"{loss.item():.6f}")
program_state.save(layers=layers, head=head)
