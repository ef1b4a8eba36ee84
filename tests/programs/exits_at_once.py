# SPDX-License-Identifier: Apache-2.0
# feature: os._exit, which runs no destructor
# steps: 3
# exit: 7
import os
import sys
import time

import torch

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
net = torch.nn.Linear(2, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    loss = net(torch.ones(1, 2)).square().sum()
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}")
program_state.save(net=net)
sys.stdout.flush()
time.sleep(1.3)  # until the logs have been shipped
os._exit(7)
