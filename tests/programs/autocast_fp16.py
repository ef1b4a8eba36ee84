# SPDX-License-Identifier: Apache-2.0
# feature: autocast to float16 on the CPU with a GradScaler, scheduler and evaluation
# steps: 6
# loss: loss
import torch
from torch import nn

import program_state

torch.manual_seed(0)
torch.set_num_threads(1)
device = "cpu"
model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(64, 4)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.2, total_steps=6)
scaler = torch.amp.GradScaler(device)


def evaluate():
    model.eval()
    with torch.no_grad(), torch.autocast(device, torch.float16):
        accuracy = (model(torch.ones(4, 1, 6, 6)).argmax(1) == torch.arange(4)).float().mean()
    model.train()
    return accuracy.item()


for epoch in range(2):
    for _ in range(3):
        x, y = torch.randn(8, 1, 6, 6), torch.randint(4, (8,))
        with torch.autocast(device, torch.float16):
            loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()
    print(f"epoch {epoch} loss {loss.item():.5f} accuracy {evaluate():.2f} scale {scaler.get_scale()}")
program_state.save(model=model)
