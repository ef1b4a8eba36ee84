# SPDX-License-Identifier: Apache-2.0
"""Updates tensors that outlive steps. Each is rounded in a different way, with a known result."""
import torch

STEPS = 40
BF16 = torch.bfloat16


class Weights(torch.nn.Module):
    """Returns a sum of squares. Its gradient is twice the weight times the gradient with which backward starts."""

    def __init__(self, *names):
        super().__init__()
        for name in names:
            start = 1 + torch.rand(600)
            setattr(self, name, torch.nn.Parameter(start if name == "single" else start.to(BF16)))

    def forward(self):
        return sum(p.float().square().sum() for p in self.parameters()) * 1e-4


def round_at_random(x):
    noise = torch.randint(0, 1 << 16, x.shape, dtype=torch.int32)
    return ((x.contiguous().view(torch.int32) + noise) & -65536).view(torch.float32).to(BF16)


@torch.no_grad()
def update(net, state, rate):
    for name, p in net.named_parameters():
        if name in ("listed", "fused", "added"):
            continue
        if name == "kahan":
            rest = state.setdefault("rest", torch.zeros_like(p))
            rest.add_(p.grad, alpha=-rate)
            before = p.clone()
            p.add_(rest)
            rest.add_(before.sub_(p))
        elif name == "random":
            p.copy_(round_at_random(p.float() - rate * p.grad.float()))
        elif name == "rebound":
            p.data = p.data - rate * p.grad
        else:
            p.add_(p.grad, alpha=-rate)


def main():
    torch.manual_seed(1)
    torch.set_num_threads(1)
    net = Weights("plain", "kahan", "random", "rebound", "single", "listed", "fused", "added")
    listed = torch.optim.AdamW([net.listed], lr=1e-4, foreach=True)
    fused = torch.optim.AdamW([net.fused], lr=1e-4, fused=True)
    state = {}
    running, rebound_sum, sliced = torch.zeros((), dtype=BF16), torch.zeros((), dtype=BF16), torch.ones(64, dtype=BF16)
    for step in range(STEPS):
        net.zero_grad(set_to_none=False)
        for _ in range(20 if step == 0 else 3):
            net().backward()
        update(net, state, rate=1.0)
        listed.step()
        fused.step()
        for _ in range(20):
            running += 0.42
            rebound_sum = rebound_sum + 0.42
        sliced[step] = 0.5
        sliced *= 0.99
    print(running.item(), rebound_sum.item(), net.plain.sum().item())


main()
