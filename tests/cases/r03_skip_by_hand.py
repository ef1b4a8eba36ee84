# SPDX-License-Identifier: Apache-2.0
# Situation: the loop checks the gradient norm itself. If the norm is not finite, it calls zero_grad() and
#   scaler.update(), but not scaler.step(); otherwise it clips and steps. A skipped iteration counts as a step.
# Source: espnet/espnet#2362, Haian-Jin/LVSM#19.
# Options: --impact --inherited
# steps: 12
# skipped: 3
# overflows: 3
# final_scale: 32768
# losses: includes printed losses
# loss.count: 12
# event[step=1].line: loss = (pred.float() - y)
# event[step=1].op: to
# event[step=1].outcome: skipped
# event[step=2].line: return self.out(h)
# event[step=2].op: out/mm
# event[step=7].line: return self.out(h)
# event[step=7].op: out/mm
# advised: []
# finding.count: 1
# finding[0].kind: loss_scale_too_large
# finding[0].confirmed: true
# finding[0].remedy: init_scale=32768
import hashlib
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(16, 16)
        self.out = nn.Linear(16, 4)

    def forward(self, x):
        h = torch.relu(self.body(x))
        return self.out(h)


torch.set_num_threads(1)
torch.manual_seed(2)
net = Net()
opt = torch.optim.AdamW(net.parameters(), lr=1e-2)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**18, growth_interval=100)
losses, skipped = [], []
for i in range(12):
    x, y = torch.randn(16, 16) * 2, torch.randn(16, 4) * 3
    opt.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        pred = net(x)
    loss = (pred.float() - y).pow(2).mean()
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    if not torch.isfinite(norm):
        skipped.append(i + 1)
        opt.zero_grad()
        scaler.update()
        continue
    scaler.step(opt)
    scaler.update()
    losses.append(loss.item())
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("skipped", skipped, "scale", scaler.get_scale(), "losses", repr(losses), "state", state)
