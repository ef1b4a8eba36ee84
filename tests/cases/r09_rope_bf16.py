# SPDX-License-Identifier: Apache-2.0
# Situation: a rotary embedding holds its frequencies in a buffer, so model.to(bfloat16) converts them to BF16, and
#   positions get this type. Near 1,900, BF16 numbers are 8 apart, so angles are wrong by whole radians. cos and sin are
#   right for the wrong angles, so only inherited errors show the fault.
# Source: huggingface/transformers#29285 and #25681, EleutherAI/gpt-neox#1003, KellerJordan/modded-nanogpt#39.
# Options: --impact --inherited
# steps: 5
# losses: printed losses
# op[module=rope,op=cos].error: at most 0.004
# op[module=rope,op=cos].inherited: 0.5 to 2
# diverging.module: rope
# advised: without linear
# finding.count: 1
# finding[0].kind: amplified_error
# finding[0].confirmed: true
# finding[0].line: emb.cos()
# finding[0].remedy: rope
import hashlib
import sys
import torch
from torch import nn
from torch.nn import functional as F


class Rope(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("inv_freq", 1.0 / 100 ** (torch.arange(0, dim, 2).float() / dim))

    def forward(self, first, count):
        kind = torch.float32 if "fp32" in sys.argv else self.inv_freq.dtype
        pos = torch.arange(first, first + count, dtype=kind)
        emb = torch.outer(pos, self.inv_freq.to(kind)).repeat(1, 2)
        return emb.cos().bfloat16(), emb.sin().bfloat16()


def turn(x, cos, sin):
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat((-b, a), -1) * sin


class Net(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.emb, self.qkv, self.head, self.rope = nn.Embedding(20, d), nn.Linear(d, 3 * d), nn.Linear(d, 20), Rope(d)

    def forward(self, ids):
        q, k, v = self.qkv(self.emb(ids) * 4).chunk(3, -1)
        cos, sin = self.rope(1880, ids.shape[1])
        return self.head(F.scaled_dot_product_attention(turn(q, cos, sin), turn(k, cos, sin), v, is_causal=True))


torch.set_num_threads(1)
torch.manual_seed(8)
net = Net().to(torch.bfloat16)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
losses = []
for _ in range(5):
    ids = torch.randint(20, (4, 33))
    loss = F.cross_entropy(net(ids[:, :-1]).float().flatten(0, 1), ids[:, 1:].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
d = hashlib.sha256(b"".join(p.detach().view(torch.int16).numpy().tobytes() for p in net.parameters()))
print("positions told apart", torch.arange(1880, 1912).bfloat16().unique().numel(), "of 32, losses", repr(losses), "state", d.hexdigest()[:16])
