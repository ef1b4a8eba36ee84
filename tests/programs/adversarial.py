# SPDX-License-Identifier: Apache-2.0
# feature: adversarial training: gradients with respect to the input
# steps: 3
# loss: ^
# executed: the loss goes from
# The attack follows the input's gradient, which a recipe rounds.
import torch
from torch import nn
from torch.nn import functional as F

import program_state


def fgsm(model, x, y, epsilon):
    x = x.clone().requires_grad_(True)
    grad = torch.autograd.grad(F.cross_entropy(model(x), y), x)[0]
    return (x + epsilon * grad.sign()).detach()


torch.set_num_threads(1)
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    x, y = torch.randn(9, 6), torch.arange(9) % 3
    attacked = fgsm(model, x, y, 0.1)
    loss = F.cross_entropy(model(attacked), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.6f}")
program_state.save(model=model)
