# SPDX-License-Identifier: Apache-2.0
# Situation: the program calls optimizer.step() instead of scaler.step(optimizer): updates use gradients that are 65536
#   times too large, and the weights explode.
# Source: arithmetic; public reports describe faults of this kind.
# Options: --inherited --impact
# steps: 40
# finding[0].kind: gradients_stay_scaled
# finding[0].remedy: scaler.step(optimizer)
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0); torch.set_num_threads(1)
net = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8 * 64, 10))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu")
X = torch.randn(256, 1, 16, 16); Y = X.flatten(1)[:, :10].argmax(1)
for step in range(40):
    i = torch.randint(0, 256, (32,))
    opt.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        loss = F.cross_entropy(net(X[i]), Y[i])
    scaler.scale(loss).backward()
    opt.step()
    if step % 5 == 0: print(step, loss.item(), scaler.get_scale())
