# SPDX-License-Identifier: Apache-2.0
# Situation: a moving average of a BF16 model is kept in BF16, with decay 0.999 and lerp_ after each update. A
#   thousandth of the difference is below half an ulp, so the average stays at the initial weights. The net's own
#   updates mostly take effect. Writing the average does not count as a step.
# Source: d8ahazard/sd_dreambooth_extension#1415 and #1417.
# Options: --impact --inherited
# steps: 16
# overflows: 0
# loss.count: 16
# drift[line~e.lerp_].count: 4
# drift[line~e.lerp_,class=lost].count: 4
# drift[parameter=0.weight,role=parameter].class: few lost
# advised: []
# finding.count: 1
# finding[0].kind: lost_average
# finding[0].line: lerp_
# finding[0].remedy: average in FP32
import copy
import hashlib
import torch
from torch import nn
from torch.nn import functional as F


@torch.no_grad()
def average(ema, net, decay=0.999):
    for e, p in zip(ema.parameters(), net.parameters()):
        e.lerp_(p, 1 - decay)


torch.set_num_threads(1)
torch.manual_seed(6)
net = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 3)).to(torch.bfloat16)
ema = copy.deepcopy(net).requires_grad_(False)
start = [p.detach().clone() for p in net.parameters()]
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
x, y = torch.randn(30, 10).bfloat16(), torch.arange(30) % 3
losses = []
for _ in range(16):
    loss = F.cross_entropy(net(x).float(), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    average(ema, net)
    losses.append(loss.item())
ema.eval()
with torch.no_grad():
    of_average = F.cross_entropy(ema(x).float(), y).item()
moved = [int(sum((p != s).sum() for p, s in zip(m.parameters(), start))) for m in (net, ema)]
d = hashlib.sha256(b"".join(p.detach().view(torch.int16).numpy().tobytes() for m in (net, ema) for p in m.parameters()))
print("losses", repr(losses[0]), repr(losses[-1]), "of the average", repr(of_average), "moved", moved, "state", d.hexdigest()[:16])
