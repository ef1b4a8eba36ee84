# SPDX-License-Identifier: Apache-2.0
# feature: saved_tensors_hooks: activations packed to half, and save_on_cpu
# steps: 3
# loss: ^
# modes: recorded,deep,what-if,recipe
import torch
from torch import nn
from torch.autograd.graph import save_on_cpu, saved_tensors_hooks

import program_state


def pack(t):
    return t.to(torch.bfloat16) if t.is_floating_point() and not isinstance(t, nn.Parameter) else t


def unpack(t):
    return t.float() if t.dtype == torch.bfloat16 else t


torch.set_num_threads(1)
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 16), nn.Sigmoid(), nn.Linear(16, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    x = torch.randn(8, 6)
    with saved_tensors_hooks(pack, unpack) if i else save_on_cpu():
        loss = net(x).square().mean()
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}")
program_state.save(net=net)
