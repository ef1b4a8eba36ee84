# SPDX-License-Identifier: Apache-2.0
# feature: while_loop: a fixed-point iteration as a higher-order operator
# steps: 0|1|7
# modes: recorded,deep,what-if,recipe
import torch
from torch._higher_order_ops import while_loop

import program_state

torch.set_num_threads(1)
torch.manual_seed(3)

a = torch.rand(5, 5) / 10


def condition(i, x):
    return i < 6


def body(i, x):
    return i + 1, torch.tanh(a @ x + 0.3)


with torch.no_grad():
    count, x = while_loop(condition, body, (torch.tensor(0), torch.zeros(5)))
print("iterations", count.item())
print("fixed point", [f"{v:.5f}" for v in x.tolist()])
program_state.save(x=x)
