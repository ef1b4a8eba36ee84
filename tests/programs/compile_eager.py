# SPDX-License-Identifier: Apache-2.0
# feature: torch.compile, backend eager, with a graph break
# steps: 3
# missing: compile
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(7)
seen = []


class Chatty(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(10, 10)
        self.second = nn.Linear(10, 2)

    def forward(self, x):
        h = self.first(x).tanh()
        seen.append(float(h.detach().abs().max()))  # a graph break
        return self.second(h)


net = Chatty()
step_fn = torch.compile(net, backend="eager")
optim = torch.optim.Adam(net.parameters(), lr=3e-3)
for i in range(3):
    optim.zero_grad()
    out = step_fn(torch.randn(6, 10))
    out.pow(2).mean().backward()
    optim.step()
print("largest activations", ["%.5f" % v for v in seen])
program_state.save(net=net, seen=seen)
