# SPDX-License-Identifier: Apache-2.0
# feature: torch.fx: a model is traced, rewritten and trained
# steps: 3
# loss: ^
import torch
import torch.fx as fx
from torch import nn

import program_state


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(6, 18)
        self.out = nn.Linear(18, 2)

    def forward(self, x):
        return self.out(torch.relu(self.inp(x)))


def relu_to_gelu(module):
    traced = fx.symbolic_trace(module)
    for node in traced.graph.nodes:
        if node.op == "call_function" and node.target is torch.relu:
            node.target = nn.functional.gelu
    traced.recompile()
    return traced


torch.set_num_threads(1)
torch.manual_seed(17)
model = relu_to_gelu(Block())
print(model.code.strip().splitlines()[-1].strip())
sgd = torch.optim.SGD(model.parameters(), lr=0.2)
for _ in range(3):
    sgd.zero_grad()
    loss = model(torch.randn(8, 6)).pow(2).mean()
    loss.backward()
    sgd.step()
    print(round(loss.item(), 6))
program_state.save(model=model)
