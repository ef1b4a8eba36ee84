# SPDX-License-Identifier: Apache-2.0
# feature: torch.func.stack_module_state: an ensemble trained as one
# steps: 3
import copy

import torch
from torch import nn
from torch.func import functional_call, stack_module_state

import program_state

torch.set_num_threads(1)
torch.manual_seed(77)

models = [nn.Sequential(nn.Linear(3, 7), nn.ReLU(), nn.Linear(7, 1)) for _ in range(4)]
params, buffers = stack_module_state(models)
skeleton = copy.deepcopy(models[0]).to("meta")


def one(p, b, x):
    return functional_call(skeleton, (p, b), (x,))


optimizer = torch.optim.Adam(list(params.values()), lr=5e-3)
x = torch.randn(16, 3)
target = x.prod(dim=1, keepdim=True)
for _ in range(3):
    prediction = torch.vmap(one, in_dims=(0, 0, None))(params, buffers, x)
    loss = (prediction - target).pow(2).mean(dim=(1, 2))
    optimizer.zero_grad()
    loss.sum().backward()
    optimizer.step()
    print([f"{v:.5f}" for v in loss.tolist()])
program_state.save(params=dict(params))
