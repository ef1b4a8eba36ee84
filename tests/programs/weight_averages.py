# SPDX-License-Identifier: Apache-2.0
# feature: EMA and SWA of weights (swa_utils)
# steps: 6
# loss: ^\d(?= )
import torch
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel, get_ema_multi_avg_fn, update_bn

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Linear(6, 1))
ema = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.9))
swa = AveragedModel(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
swa_schedule = SWALR(opt, swa_lr=0.05)
data = [torch.randn(8, 3) for _ in range(3)]
for epoch in range(2):
    for x in data:
        loss = (model(x) - x.mean(1, keepdim=True)).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update_parameters(model)
    swa.update_parameters(model)
    swa_schedule.step()
    print(epoch, f"{loss.item():.6f}")
update_bn(data, swa)
with torch.no_grad():
    print(f"{swa(data[0]).sum().item():.6f} {ema(data[0]).sum().item():.6f}")
program_state.save(model=model, ema=ema, swa=swa)
