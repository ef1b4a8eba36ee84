# SPDX-License-Identifier: Apache-2.0
# Situation: autocast is enabled per thread. The main thread opens autocast(bfloat16) and runs two branches in a thread
#   pool, whose workers compute in FP32. Only `head`, in the main thread, runs in BF16, with 3 casts per step.
# Source: pytorch/pytorch#50170 and #60540, pytorch/pytorch#125186.
# Options: --impact --inherited
# steps: 7
# overflows: 0
# losses: printed losses
# casts: 21
# cast[module=head].casts: 21
# cast[module=left].count: 0
# cast[module=right].count: 0
# stale.count: 0
# op[module=left,op=linear].type: f32
# op[module=right,op=linear].type: f32
# op[module=head,op=linear].type: bf16
# op[module=left,op=mm,phase=backward].count: at least 1
# finding.count: 0
import concurrent.futures
import hashlib
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(25)
net = nn.ModuleDict({"left": nn.Linear(10, 14), "right": nn.Linear(10, 14), "head": nn.Linear(28, 3)})
opt = torch.optim.SGD(net.parameters(), lr=0.1)
losses, kinds = [], set()
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for _ in range(7):
        x, y = torch.randn(12, 10), torch.arange(12) % 3
        with torch.autocast("cpu", dtype=torch.bfloat16):
            a, b = pool.submit(net["left"], x), pool.submit(net["right"], x)
            a, b = a.result(), b.result()
            out = net["head"](torch.cat((a, b), -1).relu())
            kinds.add((a.dtype, b.dtype, out.dtype))
            loss = nn.functional.cross_entropy(out.float(), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("types", kinds, "losses", repr(losses), "state", state)
