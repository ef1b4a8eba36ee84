# SPDX-License-Identifier: Apache-2.0
"""Trains until it is killed. Prints "step NUMBER PROCESS_ID" after each step."""
import itertools
import os

import torch

torch.manual_seed(0)
first = (torch.randn(16, 32) / 4).cuda().requires_grad_()
second = (torch.randn(32, 1) / 4).cuda().requires_grad_()
optimizer = torch.optim.SGD([first, second], lr=1e-9, foreach=False)
scaler = torch.amp.GradScaler("cuda", init_scale=1024)
x = torch.randn(8, 16).cuda()
ones = torch.ones(1, 8).cuda()

for step in itertools.count(1):
    optimizer.zero_grad()
    with torch.autocast("cuda", torch.float16):
        y = x @ first @ second
        loss = (ones @ (y * y)).float().reshape(())
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    print("step", step, os.getpid(), flush=True)
