# SPDX-License-Identifier: Apache-2.0
# Situation: a style loss computes the Gram matrix of feature maps by bmm over all pixels and divides afterwards. The
#   sums exceed 65504 in the forward pass, so every step is skipped at any loss scale. FP32 can represent the product,
#   so `fp32` skips nothing.
# Source: NVIDIA/apex#402 and #973, pytorch/pytorch#3651, ProGamerGov/neural-style-pt#97.
# Options: --impact --inherited
# steps: 6
# skipped: 6
# overflows: 6
# final_scale: 16
# losses: printed losses
# event[step=1].op: style.gram/bmm
# event[step=1].line: g = torch.bmm(f, f.transpose(1, 2))
# event[step=6].line: g = torch.bmm(f, f.transpose(1, 2))
# event[step=1].outcome: skipped
# advised: bmm
# finding.count: 1
# finding[0].kind: overflow_held_by_fp32
# finding[0].confirmed: true
# finding[0].line: bmm
# finding[0].remedy: bmm fp32
# With: fp32
# finding.count: 0
# skipped: 0
# event.count: 0
# advised: []
import hashlib
import sys
import torch
from torch import nn
from torch.nn import functional as F


class Gram(nn.Module):
    def forward(self, f):
        b, c, h, w = f.shape
        f = f.reshape(b, c, h * w)
        if "fp32" in sys.argv:
            with torch.autocast("cpu", enabled=False):
                return torch.bmm(f.float(), f.float().transpose(1, 2)) / (c * h * w)
        g = torch.bmm(f, f.transpose(1, 2))
        return g / (c * h * w)


class Style(nn.Module):
    def __init__(self):
        super().__init__()
        self.vgg = nn.Conv2d(3, 8, 3, padding=1).requires_grad_(False)
        nn.init.constant_(self.vgg.bias, 10.0)
        self.gram = Gram()

    def forward(self, image, target):
        return F.mse_loss(self.gram(F.relu(self.vgg(image))), self.gram(F.relu(self.vgg(target))))


torch.set_num_threads(1)
torch.manual_seed(20)
net = nn.ModuleDict({"generator": nn.Conv2d(3, 3, 3, padding=1), "style": Style()})
opt = torch.optim.Adam(net["generator"].parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
target = torch.rand(1, 3, 32, 32)
losses, skipped = [], 0
for _ in range(6):
    x = torch.rand(1, 3, 32, 32)
    with torch.autocast("cpu", dtype=torch.float16):
        loss = net["style"](net["generator"](x), target)
    opt.zero_grad()
    scale = scaler.get_scale()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    skipped += scaler.get_scale() < scale
    losses.append(loss.item())
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("skipped", skipped, "scale", scaler.get_scale(), "losses", repr(losses), "state", state)
