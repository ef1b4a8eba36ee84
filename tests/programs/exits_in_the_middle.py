# SPDX-License-Identifier: Apache-2.0
# feature: sys.exit(3) in the middle of training
# steps: 2
# loss: ^\S+
# exit: 3
import sys

import torch

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(5):
    loss = net(torch.randn(4, 4)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(i, f"{loss.item():.6f}")
    if i == 1:
        print("loss is no longer interesting")
        program_state.save(net=net)
        sys.exit(3)
