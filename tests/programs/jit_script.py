# SPDX-License-Identifier: Apache-2.0
# feature: torch.jit.script: a scripted model is trained, saved, loaded, frozen
# steps: 4
# loss: ^\d
import io

import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(21)


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(5, 5)

    def forward(self, x, times: int):
        for _ in range(times):
            x = torch.tanh(self.cell(x))
        return x


model = torch.jit.script(Counter())
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(4):
    opt.zero_grad()
    loss = (model(torch.ones(3, 5), i + 1) - 0.5).abs().mean()
    loss.backward()
    opt.step()
    print(i, f"{loss.item():.6f}")

buffer = io.BytesIO()
torch.jit.save(model, buffer)
buffer.seek(0)
again = torch.jit.freeze(torch.jit.load(buffer).eval())
with torch.no_grad():
    out = again(torch.ones(1, 5), 2)
print("frozen", f"{out.sum().item():.6f}")
program_state.save(model=model, out=out)
