# SPDX-License-Identifier: Apache-2.0
# feature: gradient accumulation with a teacher that runs without gradients
# steps: 2
# loss: loss
import torch
from torch import nn
from torch.nn import functional as F

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
teacher = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 4)).eval()
student = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 4))
optimizer = torch.optim.Adam(student.parameters(), lr=1e-2)
accumulate = 3

for i in range(6):
    x = torch.randn(8, 6)
    with torch.no_grad():
        target = teacher(x).softmax(-1)
    loss = F.kl_div(student(x).log_softmax(-1), target, reduction="batchmean") / accumulate
    loss.backward()
    if (i + 1) % accumulate == 0:
        optimizer.step()
        optimizer.zero_grad()
        print(f"update {(i + 1) // accumulate} loss {loss.item():.6f}")
program_state.save(student=student)
