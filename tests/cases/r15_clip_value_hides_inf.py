# SPDX-License-Identifier: Apache-2.0
# Situation: clip_grad_value_ runs before scaler.step() without scaler.unscale_(): an infinite element is clamped to
#   1.0, so the scaler finds no infinite element and keeps doubling its scale. Gradients still overflow in each of the
#   12 steps.
# Source: Lightning-AI/pytorch-lightning#9599 and #9330, pytorch/examples#1196, rwth-i6/returnn#1590.
# Options: --impact --inherited
# steps: 12
# skipped: 0
# final_scale: 1048576
# op[module=head,op=mm,phase=backward].nonfinite: at least 12
# event.count: 12
# event[0].step: 1
# event[0].op: head/mm
# event[0].line: pred = net(x)
# event[0].outcome: clamped
# advised: []
# finding.count: 1
# finding[0].kind: clip_before_unscale
# finding[0].confirmed: true
# finding[0].line: clip_grad_value_
# finding[0].remedy: scaler.unscale_
import hashlib
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(14)
net = nn.Sequential()
net.add_module("head", nn.Linear(8, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=65536.0, growth_interval=3)
x, y = torch.rand(24, 8) * 4, torch.full((24, 2), 40.0)
losses, infinite = [], []
for _ in range(12):
    with torch.autocast("cpu", dtype=torch.float16):
        pred = net(x)
    loss = (pred.float() - y).abs().mean()
    opt.zero_grad()
    scaler.scale(loss).backward()
    infinite.append(int(net.head.weight.grad.isinf().sum()))
    torch.nn.utils.clip_grad_value_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
    losses.append(loss.item())
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("infinite elements", infinite, "scale", scaler.get_scale(), "losses", repr(losses[0]), repr(losses[-1]), "state", state)
