# SPDX-License-Identifier: Apache-2.0
# Situation: autocast in FP16 without a GradScaler, and a small loss. Backward matmuls flush gradients below 6e-8 to 0:
#   the gradient of body.weight is 0 in each step, and those of head's weight and bias have errors of 17 and 29 %. A
#   scale of 2^10 or more is needed; `scaled` uses 65536.
# Source: engichang1467/Open-Rig3R#35.
# Options: --impact --inherited
# steps: 6
# skipped: 0
# overflows: 0
# losses: printed losses
# gradient[parameter=body.weight].flushed: 1
# gradient[parameter=head.weight].error: 0.12 to 0.22
# gradient[parameter=head.bias].error: 0.2 to 0.4
# scale.init_scale: at least 1024
# answer: flushed
# finding.count: 1
# finding[0].kind: gradients_flushed
# finding[0].confirmed: true
# finding[0].remedy: GradScaler(init_scale=
# With: scaled
# finding.count: 0
# steps: 6
# skipped: 0
# losses: printed losses
# final_scale: 65536
# gradient[parameter=body.weight].flushed: at most 0.05
import hashlib
import sys
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(29)
net = nn.ModuleDict({"body": nn.Linear(16, 24), "head": nn.Linear(24, 32)})
with torch.no_grad():
    net["head"].weight.mul_(0.05)
opt = torch.optim.Adam(net.parameters(), lr=1e-4)
scaler = torch.amp.GradScaler("cpu", enabled="scaled" in sys.argv)
losses, zero = [], []
for _ in range(6):
    x = torch.randn(64, 16)
    with torch.autocast("cpu", dtype=torch.float16):
        pred = net["head"](torch.tanh(net["body"](x)))
    loss = (pred.float() - x.repeat(1, 2)).pow(2).mean() * 5e-5
    opt.zero_grad()
    scaler.scale(loss).backward()
    zero.append((net["body"].weight.grad == 0).float().mean().item())
    scaler.step(opt)
    scaler.update()
    losses.append(loss.item())
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("zero share", zero, "scale", scaler.get_scale(), "losses", repr(losses), "state", state)
