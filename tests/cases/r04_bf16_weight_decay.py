# SPDX-License-Identifier: Apache-2.0
# Situation: everything is in BF16, with AdamW and decoupled weight decay. lr * decay is 1e-4, far below half an ulp of
#   BF16, so the decay never changes a weight. Embedding rows that no batch uses never change, while the gradient's
#   updates of rows 0 to 7 mostly take effect.
# Source: Nerogar/OneTrainer#996.
# Options: --impact --inherited
# steps: 20
# overflows: 0
# event.count: 0
# update[parameter=emb.weight,call_site~mul_].lost: 1
# drift[parameter=emb.weight,role=parameter].class: lost
# advised: []
# finding.count: 1
# finding[0].kind: lost_updates
# finding[0].confirmed: true
# finding[0].line: opt.step()
# finding[0].remedy: FP32 master weights
import hashlib
import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
torch.manual_seed(3)


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(64, 16)
        self.head = nn.Linear(16, 8)

    def forward(self, ids):
        return self.head(self.emb(ids))


net = Table().to(torch.bfloat16)
unused = net.emb.weight.detach()[8:].clone()
used = net.emb.weight.detach()[:8].clone()
opt = torch.optim.AdamW(net.parameters(), lr=1e-2, weight_decay=1e-2)
losses = []
for _ in range(20):
    ids = torch.randint(8, (32,))
    loss = F.cross_entropy(net(ids).float(), ids)
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
w = net.emb.weight.detach()
print("last losses", repr(losses[-3:]), "unused rows changed", int((w[8:] != unused).sum()), "used rows changed",
      int((w[:8] != used).sum()), "of", used.numel(), "state",
      hashlib.sha256(b"".join(p.detach().view(torch.int16).numpy().tobytes() for p in net.parameters())).hexdigest()[:16])
