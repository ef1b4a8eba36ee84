# SPDX-License-Identifier: Apache-2.0
# Situation: FP16 weights trained by Adam with its default eps of 1e-8, which is 0 in FP16. Embedding rows without a
#   gradient get the update 0/0, so they are NaN after step 1. The loss is NaN only from step 5 on, when a batch uses
#   such a row. The culprit is the add_ that adds eps, because all results are flushed to 0. Registering a function as
#   FP32 does not help.
# Source: pytorch/pytorch#8860, afiaka87/glide-finetune#5, google-deepmind/optax#1769.
# Options: --impact --inherited
# steps: 8
# overflows: 0
# losses: printed losses
# event[0].step: 1
# event[0].op: emb/addcdiv_
# event[0].line: opt.step()
# event[0].outcome: weight
# op[op=add_.Tensor,phase=optimizer].flushed: at least 320
# advised: []
# finding.count: 1
# finding[0].kind: optimizer_constant
# finding[0].confirmed: true
# finding[0].line: opt.step()
# finding[0].remedy: eps=1e-4
import hashlib
import torch
from torch import nn
from torch.nn import functional as F


class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(40, 8)
        self.out = nn.Linear(8, 6)

    def forward(self, ids):
        return self.out(self.emb(ids).mean(1))


torch.set_num_threads(1)
torch.manual_seed(7)
net = Bag().half()
opt = torch.optim.Adam(net.parameters(), lr=1e-3, betas=(0.9, 0.9))
losses, bad = [], []
for i in range(8):
    ids = torch.stack([torch.randperm(10)[:10] for _ in range(12)]) + (20 if i >= 4 else 0)
    ids = ids[:, :4] if i >= 4 else ids
    loss = F.cross_entropy(net(ids).float(), ids[:, 0] % 6, reduction="sum") * 8
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
    bad.append(int(net.emb.weight.isnan().any(1).sum()))
d = hashlib.sha256(b"".join(p.detach().view(torch.int16).numpy().tobytes() for p in net.parameters()))
print("losses", repr(losses), "rows with NaN", bad, "state", d.hexdigest()[:16])
