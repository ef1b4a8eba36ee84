# SPDX-License-Identifier: Apache-2.0
# feature: micro-batches whose scaled losses are divided, with an initial scale that overflows
# steps: 4
# loss: ^
# finding: loss_scale_too_large
import torch
import torch.nn.functional as F

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(10, 10), torch.nn.Tanh(), torch.nn.Linear(10, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**127)
for _ in range(4):
    opt.zero_grad()
    for _ in range(2):
        x = torch.randn(12, 10)
        loss = F.mse_loss(net(x) * 4, x[:, :1])
        (scaler.scale(loss) / 2).backward()
        print(f"{loss.item():.6f}")
    scaler.step(opt)
    scaler.update()
program_state.save(net=net)
