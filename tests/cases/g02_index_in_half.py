# SPDX-License-Identifier: Apache-2.0
# Situation: positions are rounded to BF16 and then used as an index. Above 256 they select other rows of a smooth
#   table. No gradient reaches the index. Its loss impact belongs to the line that rounds, not to the lookup or the next
#   layer. `mask` compares the same positions instead. `fp32` keeps them exact.
# Source: ordinary practice; no report.
# Options: --impact --inherited
# steps: 4
# impact[source=decision].line: rough = position.to(dtype)
# impact[source=decision].change: 4.0e-4 to 4.4e-4
# impact[op=embedding].size: absent
# impact[op=linear].size: absent or 0
# decision[line~index = rough.long()].share: 0.5 to 1
# With: mask
# impact[source=decision].line: rough = position.to(dtype)
# impact[source=decision].change: 4.5e-3 to 4.9e-3
# impact[op=where.self].size: absent or 0
# impact[op=linear].size: absent or 0
# With: fp32
# impact[source=decision].count: 0
import sys
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)
dtype = torch.float32 if "fp32" in sys.argv else torch.bfloat16
table, head = nn.Embedding(2048, 16), nn.Linear(16, 4)
with torch.no_grad():
    table.weight.copy_(torch.sin(torch.arange(2048)[:, None] / torch.arange(200, 216) * 3))
opt = torch.optim.SGD([*table.parameters(), *head.parameters()], lr=1e-4)
for i in range(4):
    position = torch.arange(1001.0, 1065.0)
    rough = position.to(dtype)
    if "mask" in sys.argv:
        rows = torch.where((rough > 1040.5)[:, None], table.weight[:64], table.weight[64:128])
        exact_rows = torch.where((position > 1040.5)[:, None], table.weight[:64], table.weight[64:128]).detach()
    else:
        index = rough.long()
        rows = table(index)
        exact_rows = table.weight[position.long()].detach()
    loss = nn.functional.cross_entropy(head(rows), torch.arange(64) // 16)
    if "--check" in sys.argv:
        exact = nn.functional.cross_entropy(head(exact_rows), torch.arange(64) // 16)
        print("exact change", loss.item() - exact.item())
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("loss", loss.item())
