# SPDX-License-Identifier: Apache-2.0
# feature: torch.use_deterministic_algorithms
# steps: 3
# loss: ^
import os
import random

import numpy as np
import torch
from torch import nn

import program_state


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
    torch.use_deterministic_algorithms(True)
    torch.backends.cudnn.benchmark = False


seed_everything(2024)
torch.set_num_threads(1)
net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Upsample(scale_factor=2), nn.Conv2d(2, 1, 3))
opt = torch.optim.ASGD(net.parameters(), lr=0.05)
for _ in range(3):
    x = torch.from_numpy(np.random.rand(2, 1, 6, 6).astype("float32"))
    loss = net(x).mean() + torch.zeros(4).index_add(0, torch.tensor([0, 0, 1]), torch.ones(3)).sum() * random.random()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}")
print(torch.are_deterministic_algorithms_enabled(), torch.empty(2).isnan().all().item())
program_state.save(net=net, numpy=float(np.random.rand()), python=random.random())
