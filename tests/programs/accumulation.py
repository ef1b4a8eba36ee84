# SPDX-License-Identifier: Apache-2.0
# feature: gradient accumulation whose last group is smaller
# steps: 3
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
model = nn.Sequential(nn.Embedding(20, 6), nn.Flatten(), nn.Linear(24, 20))
optimizer = torch.optim.Adafactor(model.parameters(), lr=1e-2)
batches = [torch.randint(20, (3, 5)) for _ in range(8)]
steps_per_update = 3
running = 0.0
for index, tokens in enumerate(batches, start=1):
    loss = nn.functional.cross_entropy(model(tokens[:, :4]), tokens[:, 4])
    (loss / steps_per_update).backward()
    running += loss.item()
    if index % steps_per_update == 0 or index == len(batches):
        optimizer.step()
        optimizer.zero_grad()
        print(f"after {index} batches: {running:.5f}")
        running = 0.0
program_state.save(model=model)
