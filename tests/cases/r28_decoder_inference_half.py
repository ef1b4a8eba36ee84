# SPDX-License-Identifier: Apache-2.0
# Situation: pure inference with a convolutional decoder in FP16. One late block has activations of 1e5, which
#   FP32 holds: its convolution returns inf for the third image, and the next GroupNorm NaN for the whole sample.
# Source: huggingface/diffusers#9844 and #7188, invoke-ai/InvokeAI#4083, leejet/stable-diffusion.cpp#10.
# Options: --inherited
# steps: 0
# event[0].op: blocks.2.conv/conv2d
# event[0].line: return x + nn.functional.silu(self.norm(self.conv(x)))
# range[module=blocks.2.conv].headroom: at most 0
# range[module=blocks.1.conv].headroom: at least 3
# answer: blocks.2.conv
# advised: conv
# finding.count: 1
# finding[0].kind: overflow_held_by_fp32
# finding[0].line: self.conv(x)
# finding[0].remedy: FP32
import hashlib
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, gain):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(8, 8, 3, padding=1), nn.GroupNorm(2, 8)
        with torch.no_grad():
            self.conv.weight.mul_(gain)

    def forward(self, x):
        return x + nn.functional.silu(self.norm(self.conv(x)))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv_in = nn.Conv2d(4, 8, 1)
        self.blocks = nn.Sequential(Block(1.0), Block(10.0), Block(3e3), Block(1.0))
        self.conv_out = nn.Conv2d(8, 3, 1)

    def forward(self, z):
        return self.conv_out(self.blocks(self.conv_in(z))).clamp(-1, 1)


torch.set_num_threads(1)
torch.manual_seed(27)
net = Decoder().half().eval()
d, finite, mean = hashlib.sha256(), [], []
with torch.inference_mode():
    for size, contrast in ((8, 1.0), (12, 4.0), (12, 60.0)):
        image = net((torch.randn(1, 4, size, size) * contrast).half())
        finite.append(bool(image.isfinite().all()))
        mean.append(image.float().mean().item())
        d.update(image.view(torch.int16).numpy().tobytes())
print("finite", finite, "mean", repr(mean), "state", d.hexdigest()[:16])
