# SPDX-License-Identifier: Apache-2.0
# Situation: a module keeps a running mean in BF16 and subtracts it in the next step. Rounding in its updates changes
#   that step's loss. The impact belongs to the lines that round, not to the subtraction, which is exact, nor to the
#   layer after it. `fp32` keeps the mean exact, and leaves the layer's own rounding as it is.
# Source: ordinary practice; no report.
# Options: --impact --inherited
# steps: 6
# impact[source=input,line~self.mean.mul_(0.9)].count: 1
# impact[source=input,line~self.mean.add_(x.mean(0) * 0.1)].count: 1
# impact[line~y = (x - self.mean)].size: absent or 0
# impact[op=linear].size: 1e-4 to 1e-3
# With: layer32
# impact[source=sum].change: 2.65e-4 to 2.75e-4
# With: fp32
# impact[source=input].count: 0
# impact[line~y = (x - self.mean)].size: absent or 0
# impact[op=linear].size: 1e-4 to 1e-3
import sys
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.full((8,), 3.0, dtype=torch.float32 if "fp32" in sys.argv else torch.bfloat16))

    def forward(self, x):
        y = (x - self.mean)
        with torch.no_grad():
            self.mean.mul_(0.9)
            self.mean.add_(x.mean(0) * 0.1)
        return y


torch.set_num_threads(1)
torch.manual_seed(0)
centre, layer = Centre(), nn.Linear(8, 4)
opt = torch.optim.SGD(layer.parameters(), lr=0.01)
exact_mean = torch.full((8,), 3.0, dtype=torch.float64)
for i in range(6):
    x, y = torch.randn(64, 8) + 3, torch.arange(64) % 4
    centred = centre(x)
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled="layer32" not in sys.argv):
        out = layer(centred)
    loss = nn.functional.cross_entropy(out.float(), y)
    if "--check" in sys.argv:
        z = centred.detach().requires_grad_()
        g, = torch.autograd.grad(nn.functional.cross_entropy(layer(z), y), z)
        print("exact to first order", (g * (z - (x - exact_mean))).sum().item())
        exact_mean = exact_mean * 0.9 + x.double().mean(0) * 0.1
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("loss", loss.item())
