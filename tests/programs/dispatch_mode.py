# SPDX-License-Identifier: Apache-2.0
# feature: the program's own TorchDispatchMode: it counts ops and flops
# steps: 3
# loss: ^\d+
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

import program_state


class Names(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(str(func))
        return func(*args, **(kwargs or {}))


torch.set_num_threads(1)
torch.manual_seed(10)
net = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.randn(4, 8)
for step in range(3):
    opt.zero_grad()
    with Names() as mode:
        loss = net(x).pow(2).sum()
        loss.backward()
    opt.step()
    print(step, f"{loss.item():.5f}", len(mode.names))
print(sorted(set(mode.names)))
with FlopCounterMode(display=False) as flops, torch.no_grad():
    net(x)
print("flops", flops.get_total_flops())
program_state.save(net=net)
