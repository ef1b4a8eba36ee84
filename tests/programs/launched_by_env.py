# SPDX-License-Identifier: Apache-2.0
# feature: env starts the program
# steps: 2
# loss: ^
# command: env OMP_NUM_THREADS=1 {python} {program}
import torch

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(torch.randn(4, 2)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}")
program_state.save(net=net)
