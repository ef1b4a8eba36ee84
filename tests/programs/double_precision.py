# SPDX-License-Identifier: Apache-2.0
# feature: float64 throughout: a physics-informed network
# steps: 3
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
u = nn.Sequential(nn.Linear(1, 12), nn.Tanh(), nn.Linear(12, 1)).double()
opt = torch.optim.Adam(u.parameters(), lr=1e-2)
x = torch.linspace(0, 1, 11, dtype=torch.float64)[:, None].requires_grad_()
for _ in range(3):
    y = u(x)
    (dy,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    residual = (dy + y).square().mean() + (y[0] - 1).square().sum()
    opt.zero_grad()
    residual.backward()
    opt.step()
    print(f"{residual.item():.12f}")
program_state.save(u=u)
