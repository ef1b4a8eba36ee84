# SPDX-License-Identifier: Apache-2.0
"""The example of Apex's front page: one model, one optimizer, one loss."""
import argparse

import torch
from apex import amp

parser = argparse.ArgumentParser()
parser.add_argument("--opt_level", default="O1")
args = parser.parse_args()

torch.manual_seed(0)
N, D_in, D_out = 64, 256, 16
x, y = torch.randn(N, D_in), torch.randn(N, D_out)
model = torch.nn.Linear(D_in, D_out)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-1)
model, optimizer = amp.initialize(model, optimizer, opt_level=args.opt_level)

losses = []
for t in range(10):
    loss = torch.nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    with amp.scale_loss(loss, optimizer) as scaled_loss:
        scaled_loss.backward()
    optimizer.step()
    losses.append(loss.item())
print("final loss =", losses[-1])
