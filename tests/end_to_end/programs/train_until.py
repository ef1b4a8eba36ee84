# SPDX-License-Identifier: Apache-2.0
"""Trains until the file "end" exists, or for STEPS steps. Then fails if FAILURE is "nan" or "exception":
train_until.py [STEPS [FAILURE]]"""
import os
import sys
import time

import torch

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 10**9
failure = sys.argv[2] if len(sys.argv) > 2 else ""
torch.manual_seed(1)
net = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
began = time.monotonic()
for step in range(1, steps + 1):
    x = torch.randn(8, 4)
    if step == steps and failure == "nan":
        x = torch.log(-x.abs())
    optimizer.zero_grad()
    net(x).square().mean().backward()
    optimizer.step()
    print(step, flush=True)
    if os.path.exists("end") or time.monotonic() - began > 60:
        break
if failure == "exception":
    raise SystemExit("it failed")
