# SPDX-License-Identifier: Apache-2.0
# feature: two threads that each train a model
# steps: 40
# executed: the loss goes from
# The order of the threads is random.
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn

import program_state

torch.set_num_threads(1)


def train(job):
    net, data = job
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    for x in data:
        loss = (net(x) - x.sum(1, keepdim=True)).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


torch.manual_seed(64)
nets = [nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1)) for _ in range(2)]
jobs = [(net, torch.randn(20, 5, 3)) for net in nets]
with ThreadPoolExecutor(max_workers=2) as pool:
    for i, loss in enumerate(pool.map(train, jobs)):
        print(f"model {i}: {loss:.6f}")
program_state.save(nets=nets)
