# SPDX-License-Identifier: Apache-2.0
# feature: trains the head first, then everything: two optimizers, one after the other
# steps: 5
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
backbone, head = nn.Linear(6, 6), nn.Linear(6, 2)
x, y = torch.randn(12, 6), torch.randint(2, (12,))


def fit(parameters, steps, lr):
    opt = torch.optim.SGD(parameters, lr=lr)
    for _ in range(steps):
        loss = nn.functional.cross_entropy(head(backbone(x).relu()), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


print(f"head only {fit(head.parameters(), 2, 0.5):.6f}")
print(f"all {fit([*backbone.parameters(), *head.parameters()], 3, 0.1):.6f}")
program_state.save(backbone=backbone, head=head)
