# SPDX-License-Identifier: Apache-2.0
"""Trains with an initial loss scale that is 16 times too large, so four of the ten steps are skipped."""

import torch

torch.set_num_threads(1)
torch.manual_seed(3)
net = torch.nn.Linear(8, 2)
opt = torch.optim.SGD(net.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**20, growth_interval=1000)
x, y = torch.rand(16, 8), torch.full((16, 2), 4.0)
for _ in range(10):
    with torch.autocast("cpu", dtype=torch.float16):
        out = net(x)
    loss = (out.float() - y).abs().mean()
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
print(loss.item(), scaler.get_scale())
