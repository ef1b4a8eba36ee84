# SPDX-License-Identifier: Apache-2.0
# feature: weight norm, old and new
# steps: 3
# loss: ^
import warnings

import torch
from torch import nn

import program_state

warnings.simplefilter("ignore")
torch.set_num_threads(1)
torch.manual_seed(0)
net = nn.Sequential(
    nn.utils.parametrizations.weight_norm(nn.Linear(4, 8)), nn.ReLU(), nn.utils.weight_norm(nn.Linear(8, 2))
)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    loss = net(torch.randn(4, 4)).abs().sum(1).mean()
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}", sorted(n for n, _ in net.named_parameters())[:2])
program_state.save(net=net)
