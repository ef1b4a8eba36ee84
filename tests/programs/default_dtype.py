# SPDX-License-Identifier: Apache-2.0
# feature: torch.set_default_dtype: double, then bfloat16
# steps: 3|4
# loss: ^\S+
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
kept = []
for dtype in (torch.float64, torch.bfloat16):
    torch.set_default_dtype(dtype)
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(2):
        opt.zero_grad()
        loss = net(torch.randn(6, 4)).square().mean()
        loss.backward()
        opt.step()
        print(loss.dtype, loss.item())
    kept.append(net)
torch.set_default_dtype(torch.float32)
program_state.save(kept=kept)
