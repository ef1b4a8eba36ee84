# SPDX-License-Identifier: Apache-2.0
# feature: the program scales its loss, and divides the gradients by the scale
import torch

import models
import states

torch.set_num_threads(1)
torch.manual_seed(1)
SCALE = 1024.0
model = models.Mlp()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

for step in range(1, states.STEPS + 1):
    batch = model.batch()
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        loss = model(*batch)
    states.keep(step, loss, model, batch)
    (loss * SCALE).backward()
    for parameter in model.parameters():
        parameter.grad.div_(SCALE)
    optimizer.step()
    print(step, loss.item())
