# SPDX-License-Identifier: Apache-2.0
# feature: a wrapper subclass with __torch_dispatch__ that has no memory itself
# steps: 3
# A tensor that counts the ops that are called on it. An inner tensor has the data.
import torch
from torch.utils._pytree import tree_map_only

import program_state


class Traced(torch.Tensor):
    calls = 0

    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(
            cls, inner.size(), strides=inner.stride(), dtype=inner.dtype, device=inner.device
        )

    def __init__(self, inner):
        self.inner = inner

    def __repr__(self):
        return f"Traced({self.inner})"

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        cls.calls += 1
        plain = tree_map_only(Traced, lambda t: t.inner, (args, kwargs or {}))
        return tree_map_only(torch.Tensor, Traced, func(*plain[0], **plain[1]))


torch.set_num_threads(1)
torch.manual_seed(0)
weight = torch.nn.Parameter(torch.randn(4, 4))
opt = torch.optim.SGD([weight], lr=0.1)
for i in range(3):
    x = Traced(torch.randn(2, 4))
    opt.zero_grad()
    loss = (x @ weight).relu().mean()
    loss.backward()
    weight.grad = weight.grad.inner
    opt.step()
    print(i, f"{loss.inner.item():.6f}")
print("calls", Traced.calls)
program_state.save(weight=weight)
