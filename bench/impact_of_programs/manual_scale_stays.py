# SPDX-License-Identifier: Apache-2.0
# feature: the program scales its loss, and does not unscale the gradients, since Adam is invariant to their scale
# loss-scale: 1024
import torch

import models
import states

torch.set_num_threads(1)
torch.manual_seed(1)
SCALE = 1024.0
model = models.Mlp()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

for step in range(1, states.STEPS + 1):
    batch = model.batch()
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        loss = model(*batch)
    states.keep(step, loss, model, batch)
    (loss * SCALE).backward()
    optimizer.step()
    print(step, loss.item())
