# SPDX-License-Identifier: Apache-2.0
# feature: clipping by norm and by value, several schedulers
# steps: 4
# loss: loss
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
lstm, out = nn.LSTM(3, 8, batch_first=True), nn.Linear(8, 3)
parameters = list(lstm.parameters()) + list(out.parameters())
opt = torch.optim.NAdam(parameters, lr=0.01)
warmup = torch.optim.lr_scheduler.LinearLR(opt, start_factor=0.1, total_iters=2)
cosine = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=4)
schedule = torch.optim.lr_scheduler.SequentialLR(opt, [warmup, cosine], milestones=[2])
for i in range(4):
    x = torch.randn(2, 6, 3).cumsum(1)
    h, _ = lstm(x[:, :-1])
    loss = nn.functional.huber_loss(out(h), x[:, 1:])
    opt.zero_grad()
    loss.backward()
    total = nn.utils.clip_grad_norm_(parameters, max_norm=0.1)
    nn.utils.clip_grad_value_(out.parameters(), 0.02)
    opt.step()
    schedule.step()
    print(f"{i} loss {loss.item():.5f} norm {total:.5f} lr {schedule.get_last_lr()[0]:.5f}")
program_state.save(lstm=lstm, out=out)
