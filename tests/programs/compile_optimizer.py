# SPDX-License-Identifier: Apache-2.0
# feature: torch.compile of only the optimizer's step
# steps: 3
# loss: mse =
# missing: compile
import torch
from torch import nn

import program_state

torch.manual_seed(5)
torch.set_num_threads(1)
regression = nn.Linear(6, 2)
optimizer = torch.optim.AdamW(regression.parameters(), lr=0.05)
update = torch.compile(optimizer.step, backend="aot_eager")

for epoch in range(3):
    x = torch.randn(20, 6)
    mse = nn.functional.mse_loss(regression(x), x[:, :2])
    mse.backward()
    update()
    optimizer.zero_grad()
    print(f"epoch {epoch} mse = {mse.item():.6f}")

program_state.save(regression=regression)
