# SPDX-License-Identifier: Apache-2.0
# feature: torchrun with one worker
# steps: 3
# loss: ^\S+
# command: {python} -m torch.distributed.run --standalone --nproc-per-node 1 {program}
import os

import torch

import program_state

torch.set_num_threads(1)
torch.manual_seed(int(os.environ["RANK"]))
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    loss = net(torch.randn(8, 4)).abs().mean()
    loss.backward()
    opt.step()
    print(os.environ["LOCAL_RANK"], f"{loss.item():.6f}", flush=True)
program_state.save(net=net)
