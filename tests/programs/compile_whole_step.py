# SPDX-License-Identifier: Apache-2.0
# feature: torch.compile of a whole training step: forward, a graph break at backward(), optimizer
# steps: 4
# loss: ^loss
# missing: compile
import torch
from torch import nn

import program_state

torch.manual_seed(4)
torch.set_num_threads(1)
net = nn.Sequential(nn.Linear(10, 24), nn.Dropout(0.1), nn.ReLU(), nn.Linear(24, 3))
adam = torch.optim.Adam(net.parameters(), lr=1e-2)


@torch.compile(backend="aot_eager")
def train_step(x, y):
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    adam.step()
    adam.zero_grad()
    return loss


for _ in range(4):
    print("loss", round(train_step(torch.randn(12, 10), torch.randint(3, (12,))).item(), 6))

program_state.save(net=net)
