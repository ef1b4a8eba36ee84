# SPDX-License-Identifier: Apache-2.0
# Situation: rotary positions are counted by arange in BF16, which represents all integers only up to 256: of 768
#   positions, 449 are distinct. The result is nearly right, because near positions have the most weight.
# Source: arithmetic; public reports describe faults of this kind.
# Options: --inherited
# finding.count: 1
# finding[0].kind: repeated_positions
# finding[0].line: t = torch.arange(n
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0); torch.set_num_threads(1)
torch.set_default_dtype(torch.bfloat16)
class Rotary(nn.Module):
    def __init__(self, dim, base=10000.):
        super().__init__()
        self.register_buffer("inv_freq", 1.0 / base ** (torch.arange(0, dim, 2).float() / dim), persistent=False)
    def forward(self, n):
        t = torch.arange(n, dtype=torch.bfloat16)
        freqs = torch.outer(t, self.inv_freq.to(t.dtype))
        emb = torch.cat((freqs, freqs), -1)
        return emb.cos(), emb.sin()
def rotate(x): a, b = x.chunk(2, -1); return torch.cat((-b, a), -1)
class Layer(nn.Module):
    def __init__(self, d):
        super().__init__(); self.qkv = nn.Linear(d, 3 * d); self.o = nn.Linear(d, d); self.rope = Rotary(d)
    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1); c, s = self.rope(x.shape[1])
        q = q * c + rotate(q) * s; k = k * c + rotate(k) * s
        return x + self.o(F.scaled_dot_product_attention(q, k, v, is_causal=True))
net = nn.Sequential(nn.Embedding(50, 32), Layer(32), Layer(32), nn.Linear(32, 50)).eval()
ids = torch.randint(0, 50, (1, 768))
with torch.no_grad():
    for n in (64, 256, 512, 768):
        logits = net(ids[:, :n])
        print(n, logits[:, -1].float().logsumexp(-1).item(), F.cross_entropy(logits[0, :-1].float(), ids[0, 1:n]).item())
