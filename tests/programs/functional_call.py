# SPDX-License-Identifier: Apache-2.0
# feature: torch.func.functional_call: a MAML-like inner update
# steps: 4
# executed: second derivative
import torch
from torch import nn
from torch.func import functional_call

import program_state

torch.manual_seed(31)
torch.set_num_threads(1)

net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
meta = torch.optim.Adam(net.parameters(), lr=1e-2)


def task():
    amplitude, phase = torch.rand(2) * 3
    x = torch.linspace(-2, 2, 10)[:, None]
    return x, amplitude * torch.sin(x + phase)


for it in range(4):
    x, y = task()
    fast = dict(net.named_parameters())
    inner = nn.functional.mse_loss(functional_call(net, fast, (x[::2],)), y[::2])
    grads = torch.autograd.grad(inner, tuple(fast.values()), create_graph=True)
    fast = {k: v - 0.1 * g for (k, v), g in zip(fast.items(), grads)}
    outer = nn.functional.mse_loss(functional_call(net, fast, (x[1::2],)), y[1::2])
    meta.zero_grad()
    outer.backward()
    meta.step()
    print(f"{it}: inner {inner.item():.5f} outer {outer.item():.5f}")
program_state.save(net=net)
