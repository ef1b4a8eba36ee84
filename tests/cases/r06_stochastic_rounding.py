# SPDX-License-Identifier: Apache-2.0
# Situation: BF16 weights with an update computed in FP32 and rounded stochastically: random low bits are added to the
#   FP32 bit pattern, which is then cut to 16 bits. An update changes an element by a whole ulp or not at all, and is
#   right on average. Ops that draw random numbers must not run twice.
# Source: pytorch/ao#1124, pytorch/pytorch#120376.
# Options: --impact --inherited
# steps: 25
# overflows: 0
# loss.count: 25
# drift[parameter=0.weight,role=parameter].class: unbiased
# drift[parameter=2.weight,role=parameter].class: unbiased
# advised: []
# finding.count: 0
import hashlib
import torch
from torch import nn


def round_at_random(x):
    noise = torch.randint(0, 1 << 16, x.shape, dtype=torch.int32)
    bits = x.contiguous().view(torch.int32)
    return ((bits + noise) & -65536).view(torch.float32).bfloat16()


class AdamSR(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                s = self.state[p]
                if not s:
                    s["t"], s["m"], s["v"] = 0, torch.zeros_like(p, dtype=torch.float32), torch.zeros_like(p, dtype=torch.float32)
                s["t"] += 1
                g = p.grad.float()
                s["m"].lerp_(g, 0.1)
                s["v"].lerp_(g * g, 0.001)
                m, v = s["m"] / (1 - 0.9 ** s["t"]), s["v"] / (1 - 0.999 ** s["t"])
                p.copy_(round_at_random(p.float() - group["lr"] * m / (v.sqrt() + 1e-8)))


torch.set_num_threads(1)
torch.manual_seed(5)
net = nn.Sequential(nn.Linear(16, 32), nn.SiLU(), nn.Linear(32, 4)).to(torch.bfloat16)
opt = AdamSR(net.parameters(), lr=2e-4)
losses, still = [], []
for i in range(25):
    x = torch.randn(24, 16).bfloat16()
    loss = nn.functional.cross_entropy(net(x).float(), (x[:, :4].float()).argmax(1))
    opt.zero_grad()
    loss.backward()
    before = net[0].weight.detach().clone()
    opt.step()
    losses.append(loss.item())
    still.append((net[0].weight == before).float().mean().item())
d = hashlib.sha256(b"".join(p.detach().view(torch.int16).numpy().tobytes() for p in net.parameters()))
d.update(torch.get_rng_state().numpy().tobytes())
print("losses", repr(losses[-3:]), "unmoved per step", repr(sum(still) / len(still)), "state", d.hexdigest()[:16])
