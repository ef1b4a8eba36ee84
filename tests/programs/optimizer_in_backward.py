# SPDX-License-Identifier: Apache-2.0
# feature: each parameter is updated in backward, by register_post_accumulate_grad_hook
# steps: 4
# loss: ^\S+
# https://pytorch.org/tutorials/intermediate/optimizer_step_in_backward_tutorial.html, made small
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 12), nn.ReLU(), nn.Linear(12, 1))
optimizers = {p: torch.optim.Adam([p], lr=1e-2, foreach=False) for p in model.parameters()}


def optimizer_hook(parameter):
    optimizers[parameter].step()
    optimizers[parameter].zero_grad()


for p in model.parameters():
    p.register_post_accumulate_grad_hook(optimizer_hook)

for step in range(4):
    loss = model(torch.randn(8, 6)).pow(2).sum()
    loss.backward()
    print(step, f"{loss.item():.5f}", all(p.grad is None for p in model.parameters()))
program_state.save(model=model)
