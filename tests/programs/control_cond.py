# SPDX-License-Identifier: Apache-2.0
# feature: torch.cond: a branch that depends on data
# steps: 3
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(2)


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.small = nn.Linear(4, 4)
        self.large = nn.Linear(4, 4)

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda v: self.small(v).relu(), lambda v: self.large(v).tanh(), (x,))


gate = Gate().eval()
with torch.no_grad():
    outs = [gate(torch.full((2, 4), v)) for v in (1.0, -1.0, 0.5)]
for out in outs:
    print([f"{v:.5f}" for v in out[0].tolist()])
program_state.save(gate=gate, outs=outs)
