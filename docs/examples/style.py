# SPDX-License-Identifier: Apache-2.0
"""Trains a style-transfer model in FP16, for the tutorial. Its loss scale falls in every step."""
import torch
from torch import nn
from torch.nn import functional as F


class Gram(nn.Module):
    def forward(self, features):
        flat = features.flatten(2)
        return flat @ flat.transpose(1, 2) / flat.shape[2]


torch.manual_seed(1)
painter = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 3, 3, padding=1))
features = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU()).requires_grad_(False)
nn.init.constant_(features[0].bias, 10.0)
model = nn.ModuleDict({"painter": painter, "features": features, "gram": Gram()})
optimizer = torch.optim.Adam(painter.parameters(), lr=1e-2)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
style = torch.rand(1, 3, 32, 32)
for step in range(20):
    optimizer.zero_grad()
    with torch.autocast("cpu", torch.float16):
        image = model["painter"](torch.rand(1, 3, 32, 32))
        wanted = model["gram"](model["features"](style))
        loss = F.mse_loss(model["gram"](model["features"](image)), wanted)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
print(f"loss {loss.item():.4f}, loss scale {scaler.get_scale():g}")
