# SPDX-License-Identifier: Apache-2.0
# feature: torch.autocast(enabled=False) around what must stay in FP32
# steps: 3
# loss: ^\S+
# executed: the loss goes from
# The rules of a recipe do not apply where autocast is off.
import torch
from torch import nn

import program_state


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        h = self.body(x).relu()
        with torch.autocast("cpu", enabled=False):
            return self.head(h.float())


torch.set_num_threads(1)
torch.manual_seed(0)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
amp = False  # a switch, as most scripts have
for _ in range(3):
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=amp):
        loss = net(torch.randn(4, 8)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.dtype, f"{loss.item():.6f}")
program_state.save(net=net)
