# SPDX-License-Identifier: Apache-2.0
# Situation: nothing is wrong. The loss scale grows until a gradient overflows once, and is then halved, as intended.
# Source: documentation of GradScaler.
# Options: --inherited --impact
# steps: 150
# skipped: 1
# finding.count: 0
# advised: []
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0); torch.set_num_threads(1)
net = nn.Sequential(nn.Linear(32, 128), nn.ReLU(), nn.Linear(128, 10))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
scaler = torch.amp.GradScaler("cpu", init_scale=2.**14, growth_interval=15)
X = torch.randn(512, 32); Y = (X @ torch.randn(32, 10)).argmax(1)
for step in range(150):
    i = torch.randint(0, 512, (64,))
    opt.zero_grad(); 
    for part in i.split(32):                        # gradient accumulation
        with torch.autocast("cpu", dtype=torch.float16):
            loss = F.cross_entropy(net(X[part]), Y[part]) / 2
        scaler.scale(loss).backward()
    scaler.unscale_(opt); nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt); scaler.update()
    if step % 10 == 0: print(step, 2 * loss.item(), scaler.get_scale())
