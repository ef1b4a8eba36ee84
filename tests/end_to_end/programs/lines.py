# SPDX-License-Identifier: Apache-2.0
# "at:" lists the operators that a line calls in the forward pass.
import threading

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.square()  # at: square

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return 2 * x * gradient


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(8)
        self.layers = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8))

    def forward(self, x):
        y = self.norm(x)  # at: layer_norm
        return x + self.layers(y)  # at: add linear gelu


def inner(x):
    return torch.tanh(x)  # at: tanh


@torch.jit.script
def scripted(x):
    y = inner(x)
    return y * 0.5  # at: mul


def recomputed(x):
    return torch.sigmoid(x)  # at: sigmoid


def main():
    torch.manual_seed(0)
    torch._C._jit_set_profiling_mode(False)
    block = Block()
    optimizer = torch.optim.SGD(block.parameters(), lr=0.1)
    for step in range(2):
        x = torch.ones(4, 8)  # at: ones
        y = block(x)
        y = Square.apply(y)
        y = scripted(y)
        y = checkpoint(recomputed, y, use_reentrant=False)
        y = [part.exp() for part in y.unbind()]  # at: exp unbind
        y = torch.stack(y)  # at: stack
        with torch.autocast("cpu", torch.bfloat16):
            z = y @ y.t()  # at: matmul t
        loss = F.mse_loss(  # at: mse_loss broadcast_tensors
            z.float(),  # at: to
            torch.zeros(4, 4),  # at: zeros
        )
        loss.backward()  # at: ones_like
        optimizer.step()
        optimizer.zero_grad()
    thread = threading.Thread(target=lambda: torch.ones(3).cumsum(0))  # at: ones cumsum
    thread.start()
    thread.join()
    print(f"{loss.item():.6f}")  # at: item


main()
