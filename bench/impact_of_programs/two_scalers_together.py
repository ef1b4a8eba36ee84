# SPDX-License-Identifier: Apache-2.0
# feature: two models with a GradScaler each, both backward passes before both updates
import torch

import models
import states

torch.set_num_threads(1)
torch.manual_seed(1)
mlp, cnn = models.Mlp(), models.Cnn()
mlp_optimizer = torch.optim.Adam(mlp.parameters(), lr=2e-3)
cnn_optimizer = torch.optim.Adam(cnn.parameters(), lr=2e-3)
mlp_scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
cnn_scaler = torch.amp.GradScaler("cpu", init_scale=16384.0)

for step in range(1, states.STEPS + 1):
    mlp_batch, cnn_batch = mlp.batch(), cnn.batch()
    mlp_optimizer.zero_grad()
    cnn_optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        mlp_loss, cnn_loss = mlp(*mlp_batch), cnn(*cnn_batch)
    states.keep(step, mlp_loss, mlp, mlp_batch)
    states.keep(step, cnn_loss, cnn, cnn_batch)
    mlp_scaler.scale(mlp_loss).backward()
    cnn_scaler.scale(cnn_loss).backward()
    mlp_scaler.step(mlp_optimizer)
    cnn_scaler.step(cnn_optimizer)
    mlp_scaler.update()
    cnn_scaler.update()
    print(step, mlp_loss.item(), cnn_loss.item())
