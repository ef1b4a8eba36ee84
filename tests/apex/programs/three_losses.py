# SPDX-License-Identifier: Apache-2.0
"""Two models, two optimizers, and three losses, each with its own scaler."""
import argparse

import torch
from apex import amp

parser = argparse.ArgumentParser()
parser.add_argument("--opt_level", default="O1")
args = parser.parse_args()

torch.manual_seed(0)
model0, model1 = torch.nn.Linear(32, 8), torch.nn.Linear(32, 8)
optimizer0 = torch.optim.SGD(model0.parameters(), lr=0.05, momentum=0.9)
optimizer1 = torch.optim.SGD([{"params": model1.weight}, {"params": model1.bias, "lr": 0.1}], lr=0.05)
[model0, model1], [optimizer0, optimizer1] = amp.initialize(
    [model0, model1], [optimizer0, optimizer1], opt_level=args.opt_level, num_losses=3)
criterion = torch.nn.MSELoss()

losses = []
for t in range(8):
    data, target = torch.randn(16, 32), torch.randn(16, 8)
    optimizer0.zero_grad()
    optimizer1.zero_grad()
    output0, output1 = model0(data), model1(data)
    loss0, loss1, loss2 = criterion(output0, target), criterion(output1, target), criterion(output0, output1)
    with amp.scale_loss(loss0, optimizer0, loss_id=0) as scaled_loss:
        scaled_loss.backward(retain_graph=True)
    with amp.scale_loss(loss1, optimizer1, loss_id=1) as scaled_loss:
        scaled_loss.backward(retain_graph=True)
    with amp.scale_loss(loss2, [optimizer0, optimizer1], loss_id=2) as scaled_loss:
        scaled_loss.backward()
    optimizer0.step()
    optimizer1.step()
    losses += [loss0.item(), loss1.item(), loss2.item()]
