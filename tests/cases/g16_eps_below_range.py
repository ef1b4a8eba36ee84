# SPDX-License-Identifier: Apache-2.0
# Situation: a cosine similarity adds an eps of 1e-8 to a norm, but in FP16 1e-8 is 0. If the norm is 0, too, the
#   quotient is NaN. Recorded without --inherited: the zero sum alone shows the cause.
# Source: arithmetic; public reports describe faults of this kind.
# steps: 0
# finding.count: 1 to 2
# finding[0].kind: cause_upstream
# finding[0].remedy: larger eps
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0); torch.set_num_threads(1)
def cosine(a, b, eps=1e-8):
    a = a / (a.norm(dim=-1, keepdim=True) + eps)
    b = b / (b.norm(dim=-1, keepdim=True) + eps)
    return a @ b.transpose(-1, -2)
enc = nn.Sequential(nn.Linear(24, 64, bias=False), nn.ReLU(), nn.Linear(64, 32, bias=False)).half().eval()
docs = torch.randn(64, 24).half()
query = torch.randn(6, 24).half()
with torch.no_grad():
    for batch in range(6):
        d = docs.roll(batch, 0).clone()
        if batch >= 3: d[-4:] = 0                 # a padded last batch
        s = cosine(enc(query), enc(d))
        best = s.max(1)
        print(batch, best.values.float().mean().item(), best.indices.tolist())
