# SPDX-License-Identifier: Apache-2.0
# Situation: only the first steps of a training are recorded. In a later step, a probability is 0, and p * log(p) is
#   NaN, which makes all weights NaN. `batch`: a batch that contains NaN is the cause instead.
# Source: arithmetic: 0 * -inf.
# Options: --steps 1:3 --inherited --impact
# steps: 40
# event.count: 1
# event[0].line: p.log()
# event[0].step: 31
# event[0].cause: log of 0 or less
# event[0].micro_batch: 1
# finding.count: 1
# finding[0].kind: value_not_held_by_fp32
# finding[0].line: p.log()
# finding[0].consequence: not finite in 10 of 40 steps, from step 31 on
# With: batch
# event.count: 0
# finding.count: 0
import sys
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(3)
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
opt = torch.optim.SGD(net.parameters(), lr=1e-2)
for step in range(1, 41):
    x = torch.randn(4, 8)
    if step == 31 and "batch" in sys.argv:
        x = torch.from_numpy(x.numpy() * float("inf"))
    p = net(x).softmax(-1)
    if step == 31 and "batch" not in sys.argv:
        p = p.clamp(max=0.5) - p.clamp(max=0.5).detach()
    log_p = p.log()
    loss = (p * log_p).sum(-1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, loss.item())
