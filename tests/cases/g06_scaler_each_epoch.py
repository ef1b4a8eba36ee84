# SPDX-License-Identifier: Apache-2.0
# Situation: a new GradScaler for each epoch of five steps. Each starts at 2^15 and skips its first steps until the
#   gradient fits.
# Source: arithmetic: the loss gradient times 2^15 exceeds 65504 in each epoch.
# Options: --impact --inherited
# steps: 20
# losses: printed losses
# finding.count: 1
# finding[0].kind: loss_scale_begins_anew
# finding[0].confirmed: true
# finding[0].remedy: one scaler before the loop
import hashlib
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(41)
net = nn.Sequential(nn.Linear(10, 16), nn.Tanh(), nn.Linear(16, 2))
opt = torch.optim.SGD(net.parameters(), lr=1e-3)
x, y = torch.randn(16, 10), torch.randn(16, 2) * 2
losses, skipped = [], []
for epoch in range(4):
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**15)
    for i in range(5):
        with torch.autocast("cpu", dtype=torch.float16):
            out = net(x)
        loss = (out.float() - y).pow(2).sum() / 2
        opt.zero_grad()
        before = scaler.get_scale()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        if scaler.get_scale() < before:
            skipped.append(5 * epoch + i + 1)
        losses.append(loss.item())
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("skipped", skipped, "scale", scaler.get_scale(), "losses", repr(losses), "state", state)
