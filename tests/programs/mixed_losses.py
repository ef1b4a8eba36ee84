# SPDX-License-Identifier: Apache-2.0
# feature: ops that have no half kernel on the CPU
# steps: 2
# loss: ^
import torch
from torch import nn
from torch.nn import functional as F

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
net = nn.Sequential(nn.Conv3d(1, 2, 3, padding=1), nn.RReLU(), nn.AvgPool3d(2), nn.Flatten(), nn.Linear(16, 6))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(2):
    out = net(torch.randn(4, 1, 4, 4, 4))
    loss = F.multi_margin_loss(out, torch.tensor([0, 1, 2, 3]))
    loss = loss + F.multilabel_margin_loss(out, torch.tensor([[0, 1, -1, 0, 0, 0]] * 4))
    loss = loss + torch.cdist(out[:2], out[2:]).mean() + torch.fft.rfft(out).abs().mean()
    log_probs = out.view(4, 2, 3).log_softmax(-1)
    loss = loss + F.ctc_loss(log_probs, torch.tensor([[1, 2], [2, 1]]), torch.tensor([4, 4]), torch.tensor([2, 2]))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}")
program_state.save(net=net)
