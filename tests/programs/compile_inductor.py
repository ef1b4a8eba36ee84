# SPDX-License-Identifier: Apache-2.0
# feature: torch.compile with the default backend, inductor
# steps: 4
# loss: loss
# missing: compile
import shutil

import torch
from torch import nn

import program_state

torch.manual_seed(0)
torch.set_num_threads(1)

# Inductor generates C++ for the CPU. On machines without a compiler fall back to plain graph capture.
backend = "inductor" if shutil.which("g++") else "eager"

model = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 4))
compiled = torch.compile(model, backend=backend)
opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
x, y = torch.randn(32, 16), torch.randint(4, (32,))

for step in range(4):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(compiled(x), y)
    loss.backward()
    opt.step()
    print(f"step {step} loss {loss.item():.6f}")

program_state.save(model=model)
