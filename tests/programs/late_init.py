# SPDX-License-Identifier: Apache-2.0
# feature: nn.Parameter(torch.empty()), initialised later
# steps: 3
# loss: ^
# reports: nonfinite_ops=0
import math

import torch
from torch import nn
from torch.nn import init

import program_state


class FactorisedLinear(nn.Module):
    def __init__(self, inp, out, rank):
        super().__init__()
        self.u = nn.Parameter(torch.empty(out, rank))
        self.v = nn.Parameter(torch.empty(rank, inp))
        self.bias = nn.Parameter(torch.empty(out))
        self.register_buffer("seen", torch.empty(1).fill_(0))
        self.reset_parameters()

    def reset_parameters(self):
        init.kaiming_uniform_(self.u, a=math.sqrt(5))
        init.orthogonal_(self.v)
        init.uniform_(self.bias, -0.1, 0.1)

    def forward(self, x):
        self.seen += x.shape[0]
        return torch.addmm(self.bias, x @ self.v.t(), self.u.t())


torch.set_num_threads(1)
torch.manual_seed(3)
net = nn.Sequential(FactorisedLinear(8, 8, 2), nn.Tanh(), FactorisedLinear(8, 1, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    loss = net(torch.randn(5, 8)).square().mean()
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}")
program_state.save(net=net)
