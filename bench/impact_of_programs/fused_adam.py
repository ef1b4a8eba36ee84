# SPDX-License-Identifier: Apache-2.0
# feature: a GradScaler with fused Adam, whose kernel unscales the gradients
import torch

import models
import states

torch.set_num_threads(1)
torch.manual_seed(1)
model = models.Mlp()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3, fused=True)
scaler = torch.amp.GradScaler("cpu", init_scale=4096.0)

for step in range(1, states.STEPS + 1):
    batch = model.batch()
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        loss = model(*batch)
    states.keep(step, loss, model, batch)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    print(step, loss.item())
