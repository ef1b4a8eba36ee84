# SPDX-License-Identifier: Apache-2.0
# feature: fused Adam, which unscales by itself, with a GradScaler
# steps: 5
# loss: ^\S+
# reports: overflow_events=0, skipped_steps=0
import torch
from torch import nn

import program_state

torch.manual_seed(0)
torch.set_num_threads(1)

model = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)
scaler = torch.amp.GradScaler("cpu", init_scale=4096.0, growth_interval=2)

for step in range(5):
    x = torch.randn(16, 12)
    with torch.autocast("cpu", dtype=torch.float16):
        loss = (model(x) - x.mean(1, keepdim=True)).pow(2).mean()
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    print(f"{step} {loss.item():.6f} scale {scaler.get_scale():.0f}")
program_state.save(model=model)
