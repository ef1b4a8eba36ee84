# SPDX-License-Identifier: Apache-2.0
# Situation: a local normalisation computes the variance as E[x^2] - E[x]^2 in FP16. If the input is nearly constant, in
#   steps 3 and 5, the difference is 0 or negative, and its sqrt NaN. FP32 gives NaN for sqrt's inputs, too, so sqrt is
#   not the culprit. Local errors of mul, mean and sub are small; sub's inherited error is large. `fp32` skips nothing.
# Source: anthonymlortiz/lcn#4, Project-MONAI/MONAI#1868.
# Options: --impact --inherited
# steps: 6
# skipped: 2
# losses: printed losses
# event[step=3].line: return (x - mean) / (var.sqrt() + 1e-3)
# event[step=3].op: norm/sqrt
# event[step=3].outcome: skipped
# event[step=5].op: norm/sqrt
# op[step=3,module=norm,op~sub,line~var = (x * x)].inherited: at least 1
# op[step=5,module=norm,op~sub,line~var = (x * x)].inherited: at least 1
# op[step=4,module=norm,op~sub,line~var = (x * x)].inherited: at most 0.01
# advised: without sqrt
# finding.count: 1
# finding[0].kind: cause_upstream
# finding[0].confirmed: true
# finding[0].line: var = (x * x)
# finding[0].remedy: all of norm in FP32
# With: fp32
# finding.count: 0
# skipped: 0
# event.count: 0
import hashlib
import sys
import torch
from torch import nn


class LocalNorm(nn.Module):
    def forward(self, x):
        if "fp32" in sys.argv:
            x = x.float()
        mean = x.mean(-1, keepdim=True)
        var = (x * x).mean(-1, keepdim=True) - mean * mean
        return (x - mean) / (var.sqrt() + 1e-3)


torch.set_num_threads(1)
torch.manual_seed(33)
net = nn.ModuleDict({"fc": nn.Linear(8, 32), "norm": LocalNorm(), "head": nn.Linear(32, 4)})
opt = torch.optim.SGD(net.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu", init_scale=128.0)
losses, skipped = [], []
for i in range(6):
    x = torch.randn(16, 8)
    offset = 20.0 if i in (2, 4) else 0.0
    with torch.autocast("cpu", dtype=torch.float16):
        h = net["fc"](x) * (0.1 if offset else 1.0) + offset
        loss = nn.functional.cross_entropy(net["head"](net["norm"](h)).float(), torch.arange(16) % 4)
    opt.zero_grad()
    scale = scaler.get_scale()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    if scaler.get_scale() < scale:
        skipped.append(i + 1)
    losses.append(loss.item())
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("skipped", skipped, "losses", repr(losses), "state", state)
