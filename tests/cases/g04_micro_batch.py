# SPDX-License-Identifier: Apache-2.0
# Situation: accumulates gradients over four micro-batches. In step 2 the third micro-batch overflows FP16 in the
#   forward pass, in step 4 the second one in the backward pass. The event names the micro-batch in which it began.
# Source: ordinary practice; no report.
# Options: --impact
# steps: 4
# skipped: 2
# event[step=2].op: mul.Tensor
# event[step=2].micro_batch: 3
# event[step=2].outcome: skipped
# event[step=4].micro_batch: 2
# event[step=4].outcome: skipped
# event.count: 2
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)
net = nn.Linear(8, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu", init_scale=128.0)
for step in range(1, 5):
    opt.zero_grad()
    for micro_batch in range(1, 5):
        factor = 1e5 if (step, micro_batch) == (2, 3) else 1.0
        with torch.autocast("cpu", dtype=torch.float16):
            out = net(torch.randn(16, 8))
            out = out * torch.full((), factor)  # BFloat16 would hold it
        loss = out.float().square().mean() / 4
        if (step, micro_batch) == (4, 2):
            loss = loss * 1e7
        scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
