# SPDX-License-Identifier: Apache-2.0
# feature: checkpointed blocks of convolution and attention, in which O1 adds casts
# steps: 2
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

import program_state


class Mixer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.conv = nn.Conv2d(c, c, 3, padding=1)
        self.qkv = nn.Linear(c, 3 * c)
        self.gain = nn.Parameter(torch.ones(c))

    def forward(self, x):
        n, c, h, w = x.shape
        x = x + self.conv(x)
        q, k, v = self.qkv(x.flatten(2).transpose(1, 2)).chunk(3, -1)
        a = torch.softmax(torch.baddbmm(torch.zeros(1, 1, 1), q, k.transpose(1, 2), alpha=c**-0.5), -1) @ v
        return F.silu(x + (a * self.gain).transpose(1, 2).reshape(n, c, h, w))


torch.set_num_threads(1)
torch.manual_seed(14)
blocks = nn.ModuleList([Mixer(4), Mixer(4)])
opt = torch.optim.SGD(blocks.parameters(), lr=0.02)
for _ in range(2):
    x = torch.randn(2, 4, 5, 5)
    x = checkpoint(blocks[0], x, use_reentrant=False)
    x = checkpoint(blocks[1], x, use_reentrant=True)
    opt.zero_grad()
    x.mean().backward()
    opt.step()
    print(f"{x.mean().item():.6f}")
program_state.save(blocks=blocks)
