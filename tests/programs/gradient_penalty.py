# SPDX-License-Identifier: Apache-2.0
# feature: double backward: a WGAN gradient penalty
# steps: 3
# executed: second derivative
import torch
from torch import autograd, nn

import program_state


def penalty(critic, real, fake):
    alpha = torch.rand(real.size(0), 1)
    mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    score = critic(mixed)
    grad = autograd.grad(
        outputs=score, inputs=mixed, grad_outputs=torch.ones_like(score), create_graph=True, retain_graph=True
    )[0]
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


torch.set_num_threads(1)
torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
opt = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
for _ in range(3):
    real, fake = torch.randn(8, 2), torch.rand(8, 2)
    gp = penalty(critic, real, fake)
    loss = critic(fake).mean() - critic(real).mean() + 10 * gp
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"D {loss.item():.5f} GP {gp.item():.5f}")
program_state.save(critic=critic)
