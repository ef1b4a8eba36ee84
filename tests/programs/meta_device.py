# SPDX-License-Identifier: Apache-2.0
# feature: a model built on the meta device, which gets memory later
# steps: 2
# loss: ^
# missing: meta
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
with torch.device("meta"):
    model = nn.Sequential(nn.Linear(1000, 2000), nn.ReLU(), nn.Linear(2000, 10))
with torch.no_grad():
    shape = model(torch.empty(64, 1000, device="meta")).shape
print("would give", tuple(shape), "with", sum(p.numel() for p in model.parameters()), "parameters")

with torch.device("meta"):
    small = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
small = small.to_empty(device="cpu")
torch.manual_seed(0)
for layer in small:
    if hasattr(layer, "reset_parameters"):
        layer.reset_parameters()
opt = torch.optim.SGD(small.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = small(torch.randn(3, 4)).exp().mean()
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}")
program_state.save(small=small)
