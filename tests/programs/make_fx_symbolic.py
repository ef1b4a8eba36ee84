# SPDX-License-Identifier: Apache-2.0
# feature: make_fx(tracing_mode='symbolic'): symbolic sizes reach the dispatcher
# steps: 2
import torch
from torch.fx.experimental.proxy_tensor import make_fx

import program_state

torch.set_num_threads(1)
torch.manual_seed(9)


def normalise(x):
    flat = x.reshape(x.shape[0] * x.shape[1], -1)
    return (flat - flat.mean(0)) / (flat.std(0) + 1e-5) * x.size(0)


with torch.no_grad():
    graph = make_fx(normalise, tracing_mode="symbolic")(torch.randn(4, 3, 6))
    print("sym ops in graph:", "sym_size" in graph.code)
    a = graph(torch.randn(2, 7, 6))
    b = graph(torch.randn(6, 2, 3))
print(tuple(a.shape), tuple(b.shape), f"{a.sum().item():.5f} {b.abs().sum().item():.5f}")
program_state.save(a=a, b=b)
