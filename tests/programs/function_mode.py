# SPDX-License-Identifier: Apache-2.0
# feature: the program's own TorchFunctionMode
# steps: 3
import collections

import torch
from torch.overrides import TorchFunctionMode, resolve_name

import program_state


class Count(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.calls = collections.Counter()

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.calls[resolve_name(func) or str(func)] += 1
        return func(*args, **(kwargs or {}))


torch.set_num_threads(1)
torch.manual_seed(1)
layer = torch.nn.Linear(4, 4)
opt = torch.optim.SGD(layer.parameters(), lr=1e-1)
count = Count()
for _ in range(3):
    opt.zero_grad()
    with count:
        loss = layer(torch.ones(2, 4)).exp().mean()
    loss.backward()
    opt.step()
for name in sorted(count.calls):
    print(name, count.calls[name])
program_state.save(layer=layer)
