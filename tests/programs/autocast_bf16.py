# SPDX-License-Identifier: Apache-2.0
# feature: autocast to bfloat16 on the CPU
# steps: 3
# loss: float32
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(20, 40), nn.LayerNorm(40), nn.ReLU(), nn.Linear(40, 3))
opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.1)
for epoch in range(3):
    x, y = torch.randn(16, 20), torch.randint(3, (16,))
    opt.zero_grad(set_to_none=True)
    with torch.autocast(device_type="cpu", dtype=torch.bfloat16):
        logits = net(x)
        loss = nn.functional.cross_entropy(logits, y)
    loss.backward()
    opt.step()
    print(epoch, logits.dtype, loss.dtype, f"{loss.item():.6f}")
program_state.save(net=net)
