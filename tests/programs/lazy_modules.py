# SPDX-License-Identifier: Apache-2.0
# feature: lazy modules, and a model that is copied
# steps: 2
# loss: ^
import copy
import warnings

import torch
from torch import nn

import program_state

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
torch.manual_seed(0)
net = nn.Sequential(nn.LazyConv1d(4, 3), nn.ReLU(), nn.Flatten(), nn.LazyLinear(2))
with torch.no_grad():
    net(torch.zeros(1, 2, 8))
target = copy.deepcopy(net).requires_grad_(False)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    x = torch.randn(4, 2, 8)
    with torch.no_grad():
        goal = target(x) + 1
    opt.zero_grad()
    loss = nn.functional.smooth_l1_loss(net(x), goal)
    loss.backward()
    opt.step()
    with torch.no_grad():
        for a, b in zip(target.parameters(), net.parameters()):
            a.lerp_(b, 0.05)
    print(f"{loss.item():.6f}")
program_state.save(net=net, target=target)
