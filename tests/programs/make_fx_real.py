# SPDX-License-Identifier: Apache-2.0
# feature: make_fx on real tensors: forward and backward as one graph
# steps: 4
import torch
from torch.fx.experimental.proxy_tensor import make_fx

import program_state

torch.set_num_threads(1)
torch.manual_seed(5)


def loss_and_grads(w, b, x, y):
    w, b = w.detach().requires_grad_(), b.detach().requires_grad_()
    loss = torch.nn.functional.mse_loss(x @ w + b, y)
    grads = torch.autograd.grad(loss, (w, b))
    return loss.detach(), *grads


w, b = torch.nn.Parameter(torch.randn(5, 2)), torch.nn.Parameter(torch.zeros(2))
x, y = torch.randn(10, 5), torch.randn(10, 2)
graph = make_fx(loss_and_grads)(w, b, x, y)
print(len(list(graph.graph.nodes)) > 5)

opt = torch.optim.SGD([w, b], lr=0.1)
for _ in range(4):
    # The usual step, to compare with the traced one.
    opt.zero_grad()
    ((x @ w + b) - y).pow(2).mean().backward()
    loss, gw, gb = graph(w, b, x, y)
    print(f"{loss.item():.6f}", torch.allclose(gw, w.grad), torch.allclose(gb, b.grad))
    opt.step()
program_state.save(w=w, b=b)
