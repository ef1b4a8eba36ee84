# SPDX-License-Identifier: Apache-2.0
# feature: foreach=True optimizer, unscale_ and clipping before the step
# steps: 4
# loss: loss
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(3)
model = nn.Sequential(nn.Conv2d(1, 3, 3), nn.ReLU(), nn.Flatten(), nn.Linear(3 * 16, 5))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)
scaler = torch.amp.GradScaler("cpu", init_scale=512.0)
for _ in range(4):
    images, labels = torch.randn(4, 1, 6, 6), torch.randint(5, (4,))
    with torch.autocast("cpu", torch.float16):
        loss = nn.functional.cross_entropy(model(images), labels)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), 0.5, foreach=True)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=False)
    print(f"loss {loss.item():.5f} norm {norm.item():.5f}")
program_state.save(model=model)
