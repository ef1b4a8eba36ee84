# SPDX-License-Identifier: Apache-2.0
# Situation: a GradScaler with growth_interval=2 doubles the scale after every second good step, and the cast's gradient
#   then overflows at once. A third of all steps is skipped, whatever the initial scale.
# Source: arithmetic: the scale doubles from 4096 on until the loss gradient times the scale exceeds 65504.
# Options: --impact --inherited
# steps: 15
# losses: printed losses
# finding.count: 1
# finding[0].kind: loss_scale_grows_too_often
# finding[0].confirmed: true
# finding[0].remedy: growth_interval=2000
import hashlib
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(40)
net = nn.Sequential(nn.Linear(10, 16), nn.Tanh(), nn.Linear(16, 2))
opt = torch.optim.SGD(net.parameters(), lr=1e-3)
x, y = torch.randn(16, 10), torch.randn(16, 2) * 2
losses, skipped = [], []
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**12, growth_interval=2)
for i in range(15):
    with torch.autocast("cpu", dtype=torch.float16):
        out = net(x)
    loss = (out.float() - y).pow(2).sum() / 2
    opt.zero_grad()
    before = scaler.get_scale()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    if scaler.get_scale() < before:
        skipped.append(i + 1)
    losses.append(loss.item())
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("skipped", skipped, "scale", scaler.get_scale(), "losses", repr(losses), "state", state)
