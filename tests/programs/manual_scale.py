# SPDX-License-Identifier: Apache-2.0
# feature: the program itself multiplies the loss by a scale and divides the gradients by it
# steps: 4
# loss: ^
import torch
import torch.nn.functional as F

import program_state

SCALE = 1024.0
torch.set_num_threads(1)
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(10, 10), torch.nn.Tanh(), torch.nn.Linear(10, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for _ in range(4):
    x = torch.randn(12, 10)
    with torch.autocast("cpu", dtype=torch.float16):
        pred = net(x)
    loss = F.mse_loss(pred.float(), x[:, :1])
    opt.zero_grad()
    (loss * SCALE).backward()
    for p in net.parameters():
        p.grad.div_(SCALE)
    opt.step()
    print(f"{loss.item():.6f}")
program_state.save(net=net)
