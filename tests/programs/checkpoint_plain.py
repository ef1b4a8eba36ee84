# SPDX-License-Identifier: Apache-2.0
# feature: activation checkpointing, non-reentrant
# steps: 3
# loss: loss=
import torch
import torch.utils.checkpoint as cp
from torch import nn

import program_state

torch.manual_seed(99)
torch.set_num_threads(1)

encoder = nn.Sequential(nn.Linear(6, 20), nn.Tanh(), nn.Dropout(0.2), nn.Linear(20, 20), nn.Tanh())
decoder = nn.Sequential(nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 6))
params = [*encoder.parameters(), *decoder.parameters()]
opt = torch.optim.Adam(params, lr=2e-3)

for step in range(3):
    x = torch.randn(10, 6)
    code = cp.checkpoint(encoder, x, use_reentrant=False)
    out = cp.checkpoint(decoder, code, use_reentrant=False)
    loss = (out - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"step={step} loss={loss.item():.6f}")

program_state.save(encoder=encoder, decoder=decoder)
