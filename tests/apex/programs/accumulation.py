# SPDX-License-Identifier: Apache-2.0
"""Accumulates scaled gradients over four passes before one step. Clips the masters' gradients by their norm."""
import argparse

import torch
from apex import amp

parser = argparse.ArgumentParser()
parser.add_argument("--opt_level", default="O1")
args = parser.parse_args()

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.Tanh(), torch.nn.Linear(64, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, eps=1e-4)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=4, gamma=0.5)
model, optimizer = amp.initialize(model, optimizer, opt_level=args.opt_level, max_loss_scale=2.0**15)
criterion = torch.nn.CrossEntropyLoss()

losses = []
optimizer.zero_grad()
for i in range(32):
    data, target = torch.randn(16, 32), torch.randint(4, (16,))
    loss = criterion(model(data), target) / 4
    with amp.scale_loss(loss, optimizer, delay_unscale=(i + 1) % 4 != 0) as scaled_loss:
        scaled_loss.backward()
    losses.append(4 * loss.item())
    if (i + 1) % 4 == 0:
        torch.nn.utils.clip_grad_norm_(amp.master_params(optimizer), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        scheduler.step()
