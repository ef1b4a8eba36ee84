# SPDX-License-Identifier: Apache-2.0
# feature: a weighted loss whose weight is never divided out: the recorded loss is the one that the program reads
# steps: 4
# loss: ^
import torch
import torch.nn.functional as F

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(10, 10), torch.nn.Tanh(), torch.nn.Linear(10, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for _ in range(4):
    x = torch.randn(12, 10)
    loss = F.mse_loss(net(x), x[:, :1])
    opt.zero_grad()
    (loss * 8).backward()
    opt.step()
    print(f"{loss.item():.6f}")
program_state.save(net=net)
