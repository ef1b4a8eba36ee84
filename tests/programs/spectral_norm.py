# SPDX-License-Identifier: Apache-2.0
# feature: spectral norm: buffers that change in forward
# steps: 3
# loss: hinge
import torch
from torch import nn
from torch.nn.utils import spectral_norm
from torch.nn.utils.parametrizations import spectral_norm as new_spectral_norm

import program_state

torch.set_num_threads(1)
torch.manual_seed(15)
disc = nn.Sequential(
    spectral_norm(nn.Conv2d(1, 3, 3)), nn.LeakyReLU(0.1), nn.Flatten(), new_spectral_norm(nn.Linear(48, 1))
)
opt = torch.optim.RMSprop(disc.parameters(), lr=1e-3, centered=True)
for _ in range(3):
    loss = nn.functional.relu(1 + disc(torch.randn(4, 1, 6, 6))).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"hinge {loss.item():.6f}")
program_state.save(disc=disc)
