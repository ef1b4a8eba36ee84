# SPDX-License-Identifier: Apache-2.0
# feature: torch.autograd.grad for logging, between the loss and its backward pass
import torch

import models
import states

torch.set_num_threads(1)
torch.manual_seed(1)
model = models.Cnn()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=4096.0)

for step in range(1, states.STEPS + 1):
    image, label = model.batch()
    image.requires_grad_()
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        scores = model.scores(image)
        loss = torch.nn.functional.cross_entropy(models.widened(scores), label)
    # Input saliency: the gradient of the best scores with respect to the input.
    (saliency,) = torch.autograd.grad(scores.float().max(1).values.sum() * 100, image, retain_graph=True)
    states.keep(step, loss, model, (image.detach(), label))
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    print(step, loss.item(), saliency.abs().mean().item())
