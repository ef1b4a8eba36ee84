# SPDX-License-Identifier: Apache-2.0
# feature: an overflow before the first update is done
# steps: 14
# loss: loss
# reports: overflow_events=5, skipped_steps=5
# finding: loss_scale_too_large
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.SGD(net.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**40, backoff_factor=1 / 64)
skipped = 0
for i in range(14):
    before = scaler.get_scale()
    with torch.autocast("cpu", torch.float16):
        loss = net(torch.ones(4, 8) * 3).pow(2).mean()
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    skipped += scaler.get_scale() < before
print("loss", f"{loss.item():.6f}", "skipped", skipped, "scale", scaler.get_scale())
program_state.save(net=net)
