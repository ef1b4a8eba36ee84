# SPDX-License-Identifier: Apache-2.0
# Situation: clip_grad_norm_ is called while the gradients are still multiplied by the loss scale of 65536. Each update
#   is about 1/65536 of its proper size, and nothing overflows. `unscaled` calls scaler.unscale_ first.
# Source: arithmetic: the norm that is clipped is 65536 times the norm of the gradients.
# Options: --impact --inherited
# steps: 8
# skipped: 0
# losses: printed losses
# finding.count: 1
# finding[0].kind: clip_before_unscale
# finding[0].line: nn.utils.clip_grad_norm_(net.parameters(), 1.0)
# finding[0].confirmed: true
# With: unscaled
# finding.count: 0
import hashlib
import sys
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(42)
net = nn.Sequential(nn.Linear(10, 16), nn.Tanh(), nn.Linear(16, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**16, growth_interval=1000)
x, y = torch.randn(16, 10), torch.randn(16, 2)
losses = []
for i in range(8):
    with torch.autocast("cpu", dtype=torch.float16):
        out = net(x)
    loss = nn.functional.mse_loss(out.float(), y)
    opt.zero_grad()
    scaler.scale(loss).backward()
    if "unscaled" in sys.argv:
        scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
    losses.append(loss.item())
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("losses", repr(losses), "state", state)
