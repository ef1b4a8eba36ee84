# SPDX-License-Identifier: Apache-2.0
# Situation: an additive attention mask is the sum of a causal and a padding mask, each with the most negative FP16
#   number. The sum of the two numbers is -inf, and one of them plus a low score is -inf, too. A query that sees
#   only padding has a row of -inf, which softmax turns into NaN, in steps 4 and 7. FP32 can represent the sums;
#   softmax in FP32 does not help.
# Source: huggingface/transformers#17306, #17437 and #27114, NVIDIA-NeMo/Automodel#2658.
# Options: --impact --inherited
# steps: 8
# skipped: 2
# losses: printed losses
# event[step=4].line: mask = causal + padding or p = (scores + mask)
# event[step=4].op: attn/add
# event[step=4].outcome: skipped
# event[step=7].op: attn/add
# event[step=7].outcome: skipped
# event[step=1].outcome: masked
# advised: add
# finding.count: 1
# finding[0].kind: overflow_held_by_fp32
# finding[0].confirmed: true
# finding[0].line: causal + padding
# finding[0].remedy: add fp32
import hashlib
import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.qk, self.v, self.out = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        nn.init.constant_(self.qk.bias, 4.0)

    def forward(self, x, keep):
        low = torch.finfo(torch.float16).min
        n = x.shape[1]
        causal = torch.full((n, n), low, dtype=torch.float16).triu(1)
        padding = torch.zeros(x.shape[0], 1, n, dtype=torch.float16).masked_fill(~keep[:, None], low)
        mask = causal + padding
        q = self.qk(x)
        scores = torch.bmm(q, -q.transpose(1, 2))  # far below -16
        p = (scores + mask).softmax(-1)
        return self.out(torch.bmm(p, self.v(x)))


torch.set_num_threads(1)
torch.manual_seed(12)
net = nn.ModuleDict({"attn": Attention(), "head": nn.Linear(16, 4)})
opt = torch.optim.SGD(net.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
losses, skipped = [], []
for i in range(8):
    x = torch.randn(3, 6, 16)
    keep = torch.ones(3, 6, dtype=torch.bool)
    keep[1, 4:] = False  # padding on the right: every row sees something
    if i in (3, 6):
        keep[2, :3] = False  # on the left: row 0 sees itself only, which is padding
    with torch.autocast("cpu", dtype=torch.float16):
        out = net["head"](net["attn"](x, keep))
    loss = F.cross_entropy(out[:, -1].float(), torch.arange(3)) + out.float()[keep].pow(2).mean() * 0.01
    opt.zero_grad()
    before = scaler.get_scale()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    if scaler.get_scale() < before:
        skipped.append(i + 1)
    losses.append(loss.item())
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("skipped", skipped, "losses", repr(losses), "state", state)
