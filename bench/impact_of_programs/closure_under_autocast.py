# SPDX-License-Identifier: Apache-2.0
# feature: optimizer.step(closure) with SGD, called under autocast, so that backward runs under autocast, too
import torch

import models
import states

torch.set_num_threads(1)
torch.manual_seed(1)
model = models.Mlp()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

for step in range(1, states.STEPS + 1):
    batch = model.batch()

    def closure():
        optimizer.zero_grad()
        loss = model(*batch)
        states.keep(step, loss, model, batch)
        loss.backward()
        return loss

    with torch.autocast("cpu", dtype=torch.float16):
        loss = optimizer.step(closure)
    print(step, loss.item())
