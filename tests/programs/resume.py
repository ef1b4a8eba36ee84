# SPDX-License-Identifier: Apache-2.0
# feature: training is stopped, saved with torch.save, loaded and continued
# steps: 3|4
# loss: ^
import io

import torch
from torch import nn

import program_state


def make():
    net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout(0.2), nn.Linear(8, 1))
    return net, torch.optim.AdamW(net.parameters(), lr=1e-2, amsgrad=True)


def run(net, opt, n):
    for _ in range(n):
        opt.zero_grad()
        loss = net(torch.randn(8, 4)).square().mean()
        loss.backward()
        opt.step()
        print(f"{loss.item():.6f}")


torch.set_num_threads(1)
torch.manual_seed(0)
net, opt = make()
run(net, opt, 2)
file = io.BytesIO()
torch.save({"net": net.state_dict(), "opt": opt.state_dict(), "rng": torch.get_rng_state()}, file)

net, opt = make()
file.seek(0)
checkpoint = torch.load(file, weights_only=True)
net.load_state_dict(checkpoint["net"])
opt.load_state_dict(checkpoint["opt"])
torch.set_rng_state(checkpoint["rng"])
run(net, opt, 2)
program_state.save(net=net)
