# SPDX-License-Identifier: Apache-2.0
# feature: two models, two optimizers, two GradScalers of different scale
# steps: 4
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(40)
actor, critic = nn.Linear(6, 2), nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
opt_a = torch.optim.Adam(actor.parameters(), lr=1e-3)
opt_c = torch.optim.Adam(critic.parameters(), lr=1e-2)
scaler_a = torch.amp.GradScaler("cpu", init_scale=64.0)
scaler_c = torch.amp.GradScaler("cpu", init_scale=8192.0)

for i in range(4):
    state = torch.randn(16, 6)
    reward = -state.pow(2).mean(1, keepdim=True)
    with torch.autocast("cpu", torch.float16):
        value = critic(torch.cat([state, actor(state).detach()], 1))
        critic_loss = (value - reward).pow(2).mean()
    opt_c.zero_grad()
    scaler_c.scale(critic_loss).backward()
    scaler_c.step(opt_c)
    scaler_c.update()

    with torch.autocast("cpu", torch.float16):
        actor_loss = -critic(torch.cat([state, actor(state)], 1)).mean()
    opt_a.zero_grad()
    scaler_a.scale(actor_loss).backward()
    scaler_a.step(opt_a)
    scaler_a.update()
    print(i, f"critic {critic_loss.item():.5f} actor {actor_loss.item():.5f}")
program_state.save(actor=actor, critic=critic)
