# SPDX-License-Identifier: Apache-2.0
# feature: torch.nn.utils.parametrize: a symmetric and an orthogonal weight
# steps: 3
# loss: ^
# modes: recorded,deep,what-if,recipe
import torch
import torch.nn.utils.parametrize as P
from torch import nn

import program_state


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).transpose(-1, -2)


torch.manual_seed(2)
torch.set_num_threads(1)
sym = nn.Linear(4, 4)
P.register_parametrization(sym, "weight", Symmetric())
rot = nn.utils.parametrizations.orthogonal(nn.Linear(4, 4, bias=False))
model = nn.Sequential(sym, rot)
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(3):
    opt.zero_grad()
    with P.cached():
        loss = (model(torch.eye(4)) - torch.eye(4).flip(0)).norm()
    loss.backward()
    opt.step()
    print(f"{loss.item():.5f}", torch.allclose(sym.weight, sym.weight.T))
program_state.save(model=model)
