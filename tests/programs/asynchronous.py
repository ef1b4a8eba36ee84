# SPDX-License-Identifier: Apache-2.0
# feature: a training loop inside asyncio, with a generator of batches
# steps: 4
# loss: ^
import asyncio

import torch
from torch import nn

import program_state


async def batches(count):
    for _ in range(count):
        await asyncio.sleep(0)
        yield torch.randn(4, 3)


async def train():
    net = nn.Bilinear(3, 3, 1)
    opt = torch.optim.Rprop(net.parameters(), lr=0.01)
    async for x in batches(4):
        opt.zero_grad()
        loss = (net(x, x) - 1).square().mean()
        loss.backward()
        opt.step()
        print(f"{loss.item():.6f}")
    return net


torch.set_num_threads(1)
torch.manual_seed(0)
program_state.save(net=asyncio.run(train()))
