# SPDX-License-Identifier: Apache-2.0
# Situation: a masked mean divides by a count summed in BF16, which has 4048 and 4064 but not the right count, 4047. No
#   gradient reaches the count. Its loss impact belongs to the line that sums it, not to the division, and not to the
#   layer's own error. `int` converts the count to an integer first. `fp32` counts exactly.
# Source: ordinary practice; no report.
# Options: --impact --inherited
# steps: 4
# impact[line~count = weights.sum()].change: -3.8e-4 to -3.5e-4
# impact[line~count = weights.sum()].source: input
# impact[line~loss = ].size: absent or 0
# impact[op=linear].size: 6e-5 to 1.5e-4
# impact[source=sum].change: -4.5e-4 to -3e-4
# With: int
# impact[line~count = weights.sum()].change: -3.8e-4 to -3.5e-4
# impact[line~count = weights.sum()].source: decision
# impact[line~loss = ].size: absent or 0
# impact[op=linear].size: 6e-5 to 1.5e-4
# With: fp32
# impact[source=input].count: 0
# impact[source=decision].count: 0
# impact[line~loss = ].size: absent or 0
# impact[op=linear].size: 6e-5 to 1.5e-4
import sys
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)
net = nn.Linear(8, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
mask = torch.ones(4097, dtype=torch.bool)
mask[:50] = False
for i in range(4):
    x, y = torch.randn(4097, 8), torch.arange(4097) % 4
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = net(x)
    each = nn.functional.cross_entropy(out.float(), y, reduction="none")
    weights = mask.to(torch.float32 if "fp32" in sys.argv else torch.bfloat16)
    count = weights.sum()
    if "int" in sys.argv:
        count = count.long()
    total = (each * mask).sum()
    loss = total / count
    opt.zero_grad()
    loss.backward()
    opt.step()
    if "--check" in sys.argv:
        print("exact change", loss.item() - (total.double() / mask.sum()).item())
    print("loss", loss.item())
