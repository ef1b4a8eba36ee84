# SPDX-License-Identifier: Apache-2.0
# feature: the program's own random number generators
# steps: 3
# loss: ^
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
noise, order = torch.Generator().manual_seed(1), torch.Generator().manual_seed(2)
net = nn.Sequential(nn.Linear(4, 8), nn.RReLU(), nn.Dropout(0.5), nn.Linear(8, 4))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
data = torch.randn(9, 4, generator=noise)
for epoch in range(3):
    batch = data[torch.randperm(9, generator=order)[:4]]
    noisy = batch + torch.empty_like(batch).normal_(0, 0.1, generator=noise)
    with torch.random.fork_rng():
        mask = torch.rand(4, 4) > 0.2
    picked = torch.multinomial(torch.ones(4), 2, generator=order)
    opt.zero_grad()
    loss = ((net(noisy) - batch) * mask)[picked].square().mean()
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}", picked.tolist())
program_state.save(net=net, noise=noise.get_state(), order=order.get_state())
