# SPDX-License-Identifier: Apache-2.0
# feature: an exception thrown by LibTorch that nothing catches
# steps: 2
# loss: ^
# exit: 1
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for width in (3, 3, 5):
    opt.zero_grad()
    loss = net(torch.randn(2, width)).sum()
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}")
    program_state.save(net=net)
