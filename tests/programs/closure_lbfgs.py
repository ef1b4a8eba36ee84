# SPDX-License-Identifier: Apache-2.0
# feature: optimizer.step(closure) with LBFGS: several evaluations per step
# steps: 4
import torch

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)

# Rosenbrock's valley and a small regression, fitted together.
xy = torch.nn.Parameter(torch.tensor([-1.0, 1.5]))
line = torch.nn.Linear(1, 1)
t = torch.linspace(0, 1, 9)[:, None]
optimizer = torch.optim.LBFGS([xy, *line.parameters()], lr=0.5, max_iter=5, line_search_fn="strong_wolfe")


def closure():
    optimizer.zero_grad()
    valley = (1 - xy[0]) ** 2 + 100 * (xy[1] - xy[0] ** 2) ** 2
    loss = valley + (line(t) - 2 * t - 1).square().mean()
    loss.backward()
    return loss


for step in range(4):
    loss = optimizer.step(closure)
    print(step, f"{loss.item():.5f}")
program_state.save(xy=xy, line=line)
