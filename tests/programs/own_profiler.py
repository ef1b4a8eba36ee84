# SPDX-License-Identifier: Apache-2.0
# feature: the program profiles itself with torch.profiler and detects anomalies
# steps: 3
# loss: ^
import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
with profile(activities=[ProfilerActivity.CPU]) as prof, torch.autograd.detect_anomaly(check_nan=True):
    for _ in range(3):
        with record_function("step"):
            opt.zero_grad()
            loss = net(torch.randn(4, 4)).square().mean()
            loss.backward()
            opt.step()
        print(f"{loss.item():.6f}")
names = {event.key for event in prof.key_averages()}
print("aten::linear" in names, "step" in names)
program_state.save(net=net)
