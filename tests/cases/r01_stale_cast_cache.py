# SPDX-License-Identifier: Apache-2.0
# Situation: one torch.autocast block stays open around the whole training loop. The cast cache is cleared only when the
#   outermost block ends, so every later forward computes with the BF16 weights of step 1. Parameters change, but the
#   loss of the constant batch does not. An evaluation at the end casts the weights again. The age of the weights does
#   not count as an error of addmm.
# Source: X-GenGroup/Flow-Factory#186, remark in pytorch/pytorch#120376.
# Options: --impact --inherited
# steps: 8
# skipped: 0
# losses: printed losses
# cast[op=linear,phase=forward].casts: 40
# cast[op=linear,phase=forward].hits: 28
# cast[op=linear,phase=inference].casts: 5
# cast[op=linear,phase=inference].hits: 0
# stale[parameter=0.weight].hits: 7
# stale[parameter=0.bias].hits: 7
# stale[parameter=2.weight].hits: 7
# stale[parameter=2.bias].hits: 7
# stale[parameter=2.weight].line: loss = nn.functional.mse_loss(net(x), y)
# op[op=linear,phase=forward].error: at most 0.01
# impact[op=linear].size: at most 0.01
# answer: stale
# advised: []
# finding.count: 1
# finding[0].kind: stale_cast
# finding[0].confirmed: true
# finding[0].remedy: clear_autocast_cache
import hashlib
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(12, 16), nn.Tanh(), nn.Linear(16, 1))
start = [p.detach().clone() for p in net.parameters()]
opt = torch.optim.SGD(net.parameters(), lr=0.2)
x, y = torch.randn(10, 12), torch.randn(10, 1)
losses = []
with torch.autocast("cpu", dtype=torch.bfloat16):
    for _ in range(8):
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
moved = [round((p - s).norm().item(), 4) for p, s in zip(net.parameters(), start)]
with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
    fresh = nn.functional.mse_loss(net(x), y).item()
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("losses", repr(losses), "moved", moved, "loss with fresh casts", repr(fresh), "state", state)
