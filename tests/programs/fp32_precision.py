# SPDX-License-Identifier: Apache-2.0
# feature: torch.backends.*.fp32_precision, after which reading the older TF32 switches throws
# steps: 3
# loss: loss
import torch
from torch import nn

import program_state

torch.manual_seed(11)
torch.set_num_threads(1)
torch.backends.cuda.matmul.fp32_precision = "tf32"
torch.backends.cudnn.conv.fp32_precision = "ieee"

model = nn.Sequential(nn.Conv1d(2, 4, 3), nn.Tanh(), nn.Flatten(), nn.Linear(24, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for step in range(3):
    loss = model(torch.randn(7, 2, 8)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"loss {loss.item():.6f}")

program_state.save(model=model)
