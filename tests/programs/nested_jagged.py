# SPDX-License-Identifier: Apache-2.0
# feature: nested tensors, jagged layout, in training
# steps: 3
# loss: jagged
# missing: nested
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(6)


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(6)
        self.proj = nn.Linear(6, 6)

    def forward(self, ragged):
        return torch.nn.functional.silu(self.proj(self.norm(ragged)))


model = Scorer()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    parts = [torch.randn(n, 6) for n in (2, 4 + step, 1)]
    ragged = torch.nested.nested_tensor(parts, layout=torch.jagged)
    out = model(ragged)
    loss = out.values().square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, out.layout, f"{loss.item():.6f}")
program_state.save(model=model)
