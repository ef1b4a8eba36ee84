# SPDX-License-Identifier: Apache-2.0
# Situation: a gradient penalty is computed from a gradient that is still multiplied by the loss scale. A smaller scale
#   makes skipped steps rarer, but the penalty stays wrong, so no run may confirm the smaller scale as a remedy.
# Source: arithmetic; public reports describe faults of this kind.
# steps: 40
# finding[0].kind: loss_scale_too_large
# finding[0].confirmed: false
import torch, torch.nn as nn
torch.manual_seed(0); torch.set_num_threads(1)
D = nn.Sequential(nn.Linear(8, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
G = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 8))
od = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0., .9)); og = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0., .9))
scaler = torch.amp.GradScaler("cpu", init_scale=4096.)
data = torch.randn(512, 8) @ torch.randn(8, 8)
for step in range(40):
    real = data[torch.randint(0, 512, (64,))]; z = torch.randn(64, 4)
    with torch.autocast("cpu", dtype=torch.float16):
        fake = G(z).detach().float()
        a = torch.rand(64, 1); mix = (a * real + (1 - a) * fake).requires_grad_(True)
        score = D(mix)
        wd = D(fake).float().mean() - D(real).float().mean()
    g, = torch.autograd.grad(scaler.scale(score.float().sum()), mix, create_graph=True)
    gp = ((g.norm(2, dim=1) - 1) ** 2).mean()
    loss_d = wd + 10 * gp
    od.zero_grad(); scaler.scale(loss_d).backward(); scaler.step(od)
    with torch.autocast("cpu", dtype=torch.float16):
        loss_g = -D(G(z)).float().mean()
    og.zero_grad(); scaler.scale(loss_g).backward(); scaler.step(og)
    scaler.update()
    if step % 5 == 0: print(step, wd.item(), gp.item(), loss_g.item(), scaler.get_scale())
