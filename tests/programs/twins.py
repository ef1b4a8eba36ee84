# SPDX-License-Identifier: Apache-2.0
# feature: two models with the same class
# steps: 3
# loss: contrastive
import torch
from torch import nn

import program_state


class Tower(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.lin1 = nn.Linear(n, 8)
        self.lin2 = nn.Linear(8, 4)

    def forward(self, x):
        return nn.functional.normalize(self.lin2(self.lin1(x).relu()), dim=-1)


torch.manual_seed(13)
torch.set_num_threads(1)
users, items = Tower(5), Tower(7)
opt = torch.optim.Adam([{"params": users.parameters()}, {"params": items.parameters(), "lr": 1e-4}], lr=1e-2)
for _ in range(3):
    u, v = users(torch.randn(6, 5)), items(torch.randn(6, 7))
    loss = nn.functional.cross_entropy(u @ v.T / 0.1, torch.arange(6))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"contrastive {loss.item():.6f}")
program_state.save(users=users, items=items)
