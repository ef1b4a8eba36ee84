"""Trains on a GPU or the fake CUDA runtime, under autocast with a GradScaler, and prints the results. Writes how often
ten steps call the device to the file COUNTS: {name: calls}."""
import ctypes
import json
import os

import torch

NAMES = ["synchronizations", "copies to the host", "blocking copies", "device allocations", "launches"]


def counts():
    if "COUNTS" not in os.environ:
        return {}
    stand_in = ctypes.CDLL(None)
    stand_in.fake_cuda_count.restype = ctypes.c_long
    return {name: stand_in.fake_cuda_count(name.encode()) for name in NAMES}


# Calls only ops that the fake CUDA runtime computes: matmuls, products, sums of two tensors, casts.
torch.manual_seed(0)
first = (torch.randn(16, 32) / 4).cuda().requires_grad_()
second = (torch.randn(32, 1) / 4).cuda().requires_grad_()
optimizer = torch.optim.SGD([first, second], lr=1e-9, foreach=False)
scaler = torch.amp.GradScaler("cuda", init_scale=1024)
x = torch.randn(8, 16).cuda()
ones = torch.ones(1, 8).cuda()


def step():
    optimizer.zero_grad()
    with torch.autocast("cuda", torch.float16):
        y = x @ first @ second
        loss = (ones @ (y * y)).float().reshape(())
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return loss


for _ in range(4):
    step()
before = counts()
for _ in range(10):
    loss = step()
after = counts()
print(loss.item(), scaler.get_scale(), first.cpu().double().sum().item(), second.cpu().double().sum().item())
if "COUNTS" in os.environ:
    with open(os.environ["COUNTS"], "w") as file:
        json.dump({name: after[name] - before[name] for name in NAMES}, file)
