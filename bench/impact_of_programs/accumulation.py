# SPDX-License-Identifier: Apache-2.0
# feature: gradients of four batches are accumulated
import torch

import models
import states

torch.set_num_threads(1)
torch.manual_seed(1)
BATCHES = 4
model = models.Mlp()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=4096.0)

for step in range(1, states.STEPS + 1):
    for _ in range(BATCHES):
        batch = model.batch()
        with torch.autocast("cpu", dtype=torch.float16):
            loss = model(*batch)
        states.keep(step, loss, model, batch, share=1 / BATCHES)
        scaler.scale(loss / BATCHES).backward()
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    print(step, loss.item())
