# SPDX-License-Identifier: Apache-2.0
# Situation: the derivative of sqrt is infinite at 0, and the distance of a point from itself is 0. FP32 gives NaN as
#   well, so precision is not the cause. Every step is skipped.
# Source: arithmetic; public reports describe faults of this kind.
# steps: 40
# skipped: 40
# finding.count: 1
# finding[0].kind: value_not_held_by_fp32
# finding[0].line: d2.sqrt()
# finding[0].remedy: clamp(min=eps)
import torch, torch.nn as nn
torch.manual_seed(0); torch.set_num_threads(1)
net = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 8))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu")
X = torch.randn(256, 16); label = torch.randint(0, 6, (256,))
def pairwise(e):                                  # batch-hard triplet loss
    d2 = (e[:, None] - e[None]).pow(2).sum(-1)
    return d2.sqrt()
for step in range(40):
    i = torch.randint(0, 256, (32,))
    opt.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        e = net(X[i])
    d = pairwise(e.float()); same = label[i][:, None] == label[i][None]
    hardest = (d * same).amax(1); nearest = (d + 1e3 * same).amin(1)
    loss = (hardest - nearest + 0.3).clamp(min=0).mean()
    scaler.scale(loss).backward()
    scaler.step(opt); scaler.update()
    if step % 5 == 0: print(step, loss.item(), scaler.get_scale())
