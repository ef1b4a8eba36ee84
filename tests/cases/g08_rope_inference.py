# SPDX-License-Identifier: Apache-2.0
# Situation: a rotary position embedding holds its frequencies in a buffer, which model.to(bfloat16) converts to BF16.
#   The model only runs inference. `fp32` computes the angles in FP32.
# Source: huggingface/transformers#25681 and #29285, as r09; without training, no gradient shows the error.
# Options: --inherited
# steps: 0
# finding.count: 1
# finding[0].kind: amplified_error
# finding[0].line: emb.cos()
# finding[0].confirmed: true
# finding[0].remedy: rope
# With: fp32
# finding.count: 0
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
net = Net().to(torch.bfloat16).eval()
with torch.no_grad():
    for _ in range(4):
        print(net(torch.randint(20, (4, 32))).float().sum().item())
