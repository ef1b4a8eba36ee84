# SPDX-License-Identifier: Apache-2.0
# feature: two models with a GradScaler each, trained in turn
import torch

import models
import states

torch.set_num_threads(1)
torch.manual_seed(1)
trained = [
    (model, torch.optim.Adam(model.parameters(), lr=2e-3), torch.amp.GradScaler("cpu", init_scale=scale))
    for model, scale in [(models.Mlp(), 256.0), (models.Cnn(), 16384.0)]
]

for step in range(1, states.STEPS + 1):
    for position, (model, optimizer, scaler) in enumerate(trained):
        batch = model.batch()
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            loss = model(*batch)
        states.keep(step, loss, model, batch, position=position)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        print(step, position, loss.item())
