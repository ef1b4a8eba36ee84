# SPDX-License-Identifier: Apache-2.0
# feature: vmap(grad(...)) through a custom autograd.Function: DP-SGD
# steps: 3
# modes: recorded,deep,what-if,recipe
# Per-sample gradients are clipped one by one, then averaged (differentially private SGD without the noise).
import torch
from torch.func import functional_call, grad, vmap

import program_state


class Swish(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * torch.sigmoid(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return g * (s + x * s * (1 - s))


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = torch.nn.Linear(4, 8)
        self.l2 = torch.nn.Linear(8, 1)

    def forward(self, x):
        return self.l2(Swish.apply(self.l1(x)))


torch.set_num_threads(1)
torch.manual_seed(0)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(12, 4), torch.randn(12, 1)


def sample_loss(params, xi, yi):
    return (functional_call(net, params, (xi.unsqueeze(0),)) - yi).pow(2).sum()


for epoch in range(3):
    params = {k: v.detach() for k, v in net.named_parameters()}
    per_sample = vmap(grad(sample_loss), in_dims=(None, 0, 0))(params, x, y)
    norms = sum(g.flatten(1).pow(2).sum(1) for g in per_sample.values()).sqrt()
    factor = (1.0 / norms).clamp(max=1.0)
    for name, p in net.named_parameters():
        p.grad = torch.einsum("n,n...->...", factor, per_sample[name]) / len(x)
    opt.step()
    print(f"epoch {epoch} mean norm {norms.mean().item():.5f}")
program_state.save(net=net)
