# SPDX-License-Identifier: Apache-2.0
# feature: the program scales its loss and skips steps itself, also the first and last; their gradients stay scaled
# steps: 6
# loss: ^
import torch
import torch.nn.functional as F

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(10, 10), torch.nn.Tanh(), torch.nn.Linear(10, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
scale = 2.0**130
for step in range(6):
    x = torch.randn(12, 10)
    loss = F.mse_loss(net(x), x[:, :1])
    opt.zero_grad()
    (loss * scale).backward()
    if all(p.grad.isfinite().all() for p in net.parameters()):
        for p in net.parameters():
            p.grad.div_(scale)
        opt.step()
        scale *= 2.0 if step < 4 else 2.0**60
    else:
        scale /= 2.0**60
    print(f"{loss.item():.6f}")
program_state.save(net=net)
