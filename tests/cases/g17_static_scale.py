# SPDX-License-Identifier: Apache-2.0
# Situation: the program itself multiplies by a static loss scale of 2^24 and divides by it. The first gradients
#   overflow, and weights are NaN from step 1 on. Any scale up to 2^18 would work.
# Source: arithmetic; public reports describe faults of this kind.
# Options: --inherited
# steps: 30
# finding[0].kind: loss_scale_too_large
# finding[0].remedy: GradScaler
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0); torch.set_num_threads(1)
net = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
LOSS_SCALE = 2. ** 24
X = torch.randn(512, 32); Y = (X @ torch.randn(32, 10)).argmax(1)
for step in range(30):
    i = torch.randint(0, 512, (64,))
    opt.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        loss = F.cross_entropy(net(X[i]), Y[i])
    (loss * LOSS_SCALE).backward()
    with torch.no_grad():
        for p in net.parameters(): p.grad.div_(LOSS_SCALE)
    opt.step()
    if step % 5 == 0: print(step, loss.item(), net[0].weight.isnan().sum().item())
