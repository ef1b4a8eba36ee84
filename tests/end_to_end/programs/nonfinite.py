# SPDX-License-Identifier: Apache-2.0
"""Programs without a loss scaler in which NaN or inf begin.

usage: nonfinite.py square|update|clip|inference|mask|finite_mask|loss|buffer
"""

import sys

import torch
from torch import nn
from torch.nn import functional as F


def fp16_net():
    return nn.Sequential(nn.Linear(8, 4, bias=False)).half()


def square():
    """Squares a norm in FP16 between backward and update. The square is inf, so the clipping factor is 0."""
    net = fp16_net()
    opt = torch.optim.SGD(net.parameters(), lr=1e-3)
    for _ in range(3):
        (net(torch.ones(4, 8).half()).float().sum() * 100).backward()
        total = net[0].weight.grad.norm() ** 2
        net[0].weight.grad.mul_((1 / total).clamp(max=1))
        opt.step()
        opt.zero_grad()


def update():
    """In the first update, rows without a gradient divide 0 by 0, because eps is 0 in FP16."""
    net = nn.Embedding(6, 4).half()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for step in range(3):
        net(torch.tensor([0, 1])).float().sum().backward()
        opt.step()
        opt.zero_grad()


def clip():
    """Gradients overflow, and clipping makes them finite again."""
    net = fp16_net()
    opt = torch.optim.SGD(net.parameters(), lr=1e-3)
    for _ in range(3):
        (net(torch.full((64, 8), 100.0).half()).float().sum() * 60000.0).backward()
        nn.utils.clip_grad_value_(net.parameters(), 1.0)
        opt.step()
        opt.zero_grad()


def inference():
    net = fp16_net()
    with torch.inference_mode():
        positive = net(torch.ones(2, 8).half()).abs() + 1
        F.layer_norm(positive * 65504, (4,))


def attend(mask):
    net = fp16_net()
    opt = torch.optim.SGD(net.parameters(), lr=1e-3)
    for _ in range(3):
        scores = net(torch.ones(4, 8).half())
        (scores + mask()).softmax(-1).float().pow(2).sum().backward()
        opt.step()
        opt.zero_grad()


def mask():
    """The program itself makes a mask of -inf, in uninitialized memory."""
    torch.empty(1000).neg()
    attend(lambda: torch.full((4, 4), float("-inf"), dtype=torch.half).triu(1))


def finite_mask():
    """Two finite masks add up to -inf. The softmax turns it into zeros."""
    low = torch.finfo(torch.half).min
    causal = torch.full((4, 4), low, dtype=torch.half).triu(1)
    attend(lambda: causal + causal)


def loss():
    """The loss of an empty batch is inf times 0. Its gradient is finite."""
    net = fp16_net()
    opt = torch.optim.SGD(net.parameters(), lr=1e-3)
    for step in range(3):
        out = net(torch.ones(4, 8).half())
        (out.float().sum() if step != 1 else (out * 0 + 60000).sum() * 0).backward()
        opt.step()
        opt.zero_grad()


def buffer():
    """A running variance above FP16's range becomes inf in the cast, so the output no longer depends on the input."""
    norm = nn.BatchNorm1d(4)
    norm.running_var.fill_(1e6)
    norm.half().eval()
    with torch.inference_mode():
        norm(torch.ones(2, 4).half())


if __name__ == "__main__":
    torch.manual_seed(1)
    globals()[sys.argv[1]]()
