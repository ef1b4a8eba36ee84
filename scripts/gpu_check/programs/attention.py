# SPDX-License-Identifier: Apache-2.0
"""Trains attention under autocast. Prints the loss of the first step as JSON: "half" in BF16 with FlashAttention, and
"single" with the math backend in FP32."""
import json
import sys

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

DEVICE = sys.argv[1] if len(sys.argv) > 1 else "cuda"

torch.manual_seed(0)
torch.backends.cuda.matmul.allow_tf32 = False
project, out = torch.nn.Linear(64, 192).to(DEVICE), torch.nn.Linear(64, 64).to(DEVICE)
optimizer = torch.optim.SGD([*project.parameters(), *out.parameters()], lr=0.01)
x = torch.randn(4, 128, 64).to(DEVICE)


def loss(backend):
    with sdpa_kernel(backend):
        parts = (part.view(4, 128, 2, 32).transpose(1, 2) for part in project(x).split(64, 2))
        mixed = F.scaled_dot_product_attention(*parts, is_causal=True)
    return out(mixed.transpose(1, 2).reshape(4, 128, 64)).float().square().mean()


losses = {}
for step in range(3):
    with torch.autocast(DEVICE, torch.bfloat16):
        half = loss(SDPBackend.FLASH_ATTENTION)
    losses.setdefault("half", half.item())
    optimizer.zero_grad()
    half.backward()
    if step == 0:  # the FP32 loss at the same weights, for comparison only
        with torch.no_grad():
            losses["single"] = loss(SDPBackend.MATH).item()
    optimizer.step()
print(json.dumps(losses))
