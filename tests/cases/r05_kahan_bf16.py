# SPDX-License-Identifier: Apache-2.0
# Situation: BF16 weights with a compensated (Kahan) update: the part of an addition that the weight rounds away is kept
#   in a BF16 buffer and added in the next step. Most additions in a step leave the weight unchanged, but nothing is
#   lost. `naive` is plain BF16, in which the weights hardly change; `fp32` shows their correct course.
# Source: pytorch/torchdistx#52, axolotl-ai-cloud/axolotl#1727.
# Options: --impact --inherited
# steps: 60
# overflows: 0
# drift[parameter=weight,role=parameter].class: compensated
# advised: []
# finding.count: 0
# With: naive
# finding.count: 1
# finding[0].kind: lost_updates
# finding[0].confirmed: true
# finding[0].remedy: FP32 master weights
# steps: 60
# drift[parameter=weight,role=parameter].class: lost
# update[parameter=weight].lost: at least 0.8
# With: fp32
# finding.count: 0
# steps: 60
# drift[parameter=weight,role=parameter].class: fine
import hashlib
import sys
import torch
from torch import nn

mode = sys.argv[1] if len(sys.argv) > 1 else "kahan"


class KahanSGD(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if mode != "kahan":
                    p.add_(p.grad, alpha=-group["lr"])
                    continue
                comp = self.state[p].setdefault("comp", torch.zeros_like(p))
                comp.add_(p.grad, alpha=-group["lr"])
                before = p.clone()
                p.add_(comp)
                comp.add_(before.sub_(p))


torch.set_num_threads(1)
torch.manual_seed(4)
dtype = torch.float32 if mode == "fp32" else torch.bfloat16
net = nn.Linear(24, 8)
with torch.no_grad():
    net.weight.add_(1.0).copy_(net.weight.bfloat16())
net.to(dtype)
opt = KahanSGD(net.parameters(), lr=1e-3)
start = net.weight.detach().float().clone()
losses, unmoved = [], []
for _ in range(60):
    x = torch.randn(16, 24).to(dtype)
    loss = net(x).float().pow(2).mean()
    opt.zero_grad()
    loss.backward()
    before = net.weight.detach().clone()
    opt.step()
    losses.append(loss.item())
    unmoved.append((net.weight == before).float().mean().item())
end = net.weight.detach().float()
print(mode, "loss", repr(losses[-1]), "way", repr((end - start).norm().item()), "moved", int((end != start).sum()), "of", end.numel(),
      "unmoved per step", repr(sum(unmoved) / 60), "state", hashlib.sha256(end.numpy().tobytes()).hexdigest()[:16])
