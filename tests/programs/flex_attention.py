# SPDX-License-Identifier: Apache-2.0
# feature: flex_attention, not compiled
# steps: 2
import warnings

import torch
from torch import nn
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

import program_state

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
torch.manual_seed(0)


def alibi(score, b, h, q, k):
    return score - 0.1 * (q - k)


def causal(b, h, q, k):
    return q >= k


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(16, 48)

    def forward(self, x, mask):
        q, k, v = (t.view(1, 32, 2, 8).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        return flex_attention(q, k, v, score_mod=alibi, block_mask=mask).transpose(1, 2).reshape(1, 32, 16)


layer = Layer().eval()
with torch.no_grad():
    mask = create_block_mask(causal, None, None, 32, 32, device="cpu")
    outs = [layer(torch.randn(1, 32, 16), mask) for _ in range(2)]
for out in outs:
    print(tuple(out.shape), f"{out.abs().sum().item():.4f}")
program_state.save(layer=layer, outs=outs)
