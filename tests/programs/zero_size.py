# SPDX-License-Identifier: Apache-2.0
# feature: tensors without elements: an empty last batch, empty boxes
# steps: 3
# loss: ^\d+
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(19)
head = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))
opt = torch.optim.SGD(head.parameters(), lr=0.1)
for boxes in (5, 0, 3):
    x = torch.randn(boxes, 4)
    opt.zero_grad()
    loss = head(x).square().sum() / max(boxes, 1)
    loss.backward()
    opt.step()
    print(boxes, f"{loss.item():.6f}")
empty = torch.empty(0, 3)
print((empty @ torch.ones(3, 2)).shape, torch.cat([empty, torch.ones(1, 3)]).sum().item(), empty.sum().item())
print(torch.empty(0).mean().isnan().item())
program_state.save(head=head)
