# SPDX-License-Identifier: Apache-2.0
# Situation: preference training with one network. For the reference pass, the policy's weights are overwritten in place
#   (param.data.copy_), run without gradients, and restored, all in one autocast block. The policy's forward uses cached
#   casts of the reference, so their divergence is 0. In step 1 policy and reference are equal, so no cast is stale.
#   Copies to parameters that are undone before the update are neither steps nor lost updates.
# Source: X-GenGroup/Flow-Factory#186, pytorch/pytorch#112583 and #65766.
# Options: --impact --inherited
# steps: 6
# skipped: 0
# losses: printed losses
# cast[op=linear,phase=inference].casts: 30
# cast[op=linear,phase=inference].hits: 0
# cast[op=linear,phase=forward].casts: 30
# cast[op=linear,phase=forward].hits: 24
# stale[parameter=0.weight].hits: 5
# stale[parameter=2.bias].hits: 5
# op[op=linear,phase=forward].error: at most 0.01
# update.lost: 0
# answer: stale
# advised: []
# finding.count: 1
# finding[0].kind: stale_cast
# finding[0].confirmed: true
# finding[0].remedy: clear_autocast_cache
import hashlib
import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
torch.manual_seed(1)
net = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 5))
reference = [p.detach().clone() for p in net.parameters()]
opt = torch.optim.SGD(net.parameters(), lr=0.5)
kls, losses, grads = [], [], []
for i in range(6):
    x, y = torch.randn(8, 8), torch.arange(8) % 5
    with torch.autocast("cpu", dtype=torch.bfloat16):
        policy = [p.detach().clone() for p in net.parameters()]
        with torch.no_grad():
            for p, r in zip(net.parameters(), reference):
                p.data.copy_(r)
            target = F.log_softmax(net(x).float(), -1)
            for p, w in zip(net.parameters(), policy):
                p.data.copy_(w)
        mine = F.log_softmax(net(x).float(), -1)
        kl = F.kl_div(mine, target, log_target=True, reduction="batchmean")
        loss = F.nll_loss(mine, y) + 0.1 * kl
    opt.zero_grad()
    loss.backward()
    opt.step()
    kls.append(kl.item()); losses.append(loss.item()); grads.append(sum(p.grad is not None for p in net.parameters()))
moved = [round((p - r).norm().item(), 4) for p, r in zip(net.parameters(), reference)]
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("kl", repr(kls), "losses", repr(losses), "grads", grads, "moved", moved, "state", state)
