# SPDX-License-Identifier: Apache-2.0
# Situation: the program clips the gradients of an FP16 model itself: norms are squared and added in FP16. The square of
#   a norm of 300 is inf, so the factor limit/inf is 0, and so are all gradients. There are no NaN and no skipped steps,
#   but the model learns nothing.
# Source: facebookresearch/fairscale#263, facebookresearch/pytext#1514, pytorch/pytorch#46849, tracel-ai/burn#5699.
# Options: --impact --inherited
# steps: 6
# skipped: 0
# overflows: 0
# losses: printed losses
# event[0].step: 1
# event[0].line: total = sum(p.grad.norm() ** 2
# event[0].op: pow
# advised: []
# finding.count: 1
# finding[0].kind: overflow_held_by_fp32
# finding[0].line: p.grad.norm() ** 2
# finding[0].remedy: .float()
import hashlib
import torch
from torch import nn


def clip(params, limit):
    total = sum(p.grad.norm() ** 2 for p in params) ** 0.5
    factor = (limit / (total + 1e-6)).clamp(max=1)
    for p in params:
        p.grad.mul_(factor)
    return total


torch.set_num_threads(1)
torch.manual_seed(13)
net = nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 8)).half()
params = list(net.parameters())
start = [p.detach().clone() for p in params]
opt = torch.optim.SGD(params, lr=1e-3)
x, y = (torch.randn(32, 16) * 4).half(), (torch.randn(32, 8) * 20).half()
losses, norms = [], []
for _ in range(6):
    loss = (net(x).float() - y.float()).pow(2).sum(1).mean()
    opt.zero_grad()
    (loss * 8).backward()
    norms.append(clip(params, 1.0).item())
    opt.step()
    losses.append(loss.item())
d = hashlib.sha256(b"".join(p.detach().view(torch.int16).numpy().tobytes() for p in params))
print("losses", repr(losses), "norms", norms, "moved", any(bool((p != s).any()) for p, s in zip(params, start)), "state", d.hexdigest()[:16])
