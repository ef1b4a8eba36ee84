# SPDX-License-Identifier: Apache-2.0
# feature: conv3d with several OpenMP threads
# steps: 3
# loss: ^
import torch
from torch import nn

import program_state

torch.set_num_threads(4)
torch.manual_seed(0)
net = nn.Sequential(
    nn.Conv3d(1, 4, 3, padding=1), nn.ReLU(), nn.MaxPool3d(2), nn.Conv3d(4, 4, 3), nn.AdaptiveAvgPool3d(1), nn.Flatten()
)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    volume = torch.randn(4, 1, 12, 12, 12)
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(volume), torch.tensor([0, 1, 2, 3]))
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
program_state.save(net=net)
