# SPDX-License-Identifier: Apache-2.0
# feature: scaled_dot_product_attention and nn.MultiheadAttention
# steps: 3
# loss: ^
import torch
import torch.nn.functional as F
from torch import nn

import program_state


class SelfAttention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(d, 3 * d, bias=False)
        self.cross = nn.MultiheadAttention(d, heads, dropout=0.1, batch_first=True)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (part.view(b, t, self.heads, -1).transpose(1, 2) for part in self.qkv(x).split(d, dim=2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, d)
        return y + self.cross(y, x, x, need_weights=False)[0]


torch.set_num_threads(1)
torch.manual_seed(0)
net = SelfAttention(8, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    x = torch.randn(2, 7, 8)
    loss = F.mse_loss(net(x), x.flip(1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}")
program_state.save(net=net)
