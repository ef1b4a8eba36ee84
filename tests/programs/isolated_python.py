# SPDX-License-Identifier: Apache-2.0
# feature: python -I, which reads neither PYTHONPATH nor a sitecustomize
# steps: 2
# loss: ^
# command: {python} -I {program}
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -I leaves the script's folder out

import torch

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
net = torch.nn.Linear(3, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(torch.randn(4, 3)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}")
program_state.save(net=net)
