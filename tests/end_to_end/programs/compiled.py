# SPDX-License-Identifier: Apache-2.0
"""Trains a small model under torch.compile(), with one line outside the graph.

--fp16 computes in half inside the graph; --dropout draws random numbers in it; --inductor generates kernels; --retain
runs backward twice; --checkpoint recomputes the graph in backward; --own-hooks counts the saved tensors; --view returns
a view of one of the graph's inputs; --medium allows BF16 in FP32 matmuls.
"""
import sys
from contextlib import nullcontext

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.second = nn.Linear(16, 32), nn.BatchNorm1d(32), nn.Linear(32, 4)

    def forward(self, x):
        with torch.autocast("cpu", torch.float16, enabled="--fp16" in sys.argv):
            y = torch.relu(self.norm(self.first(x)))
            y = nn.functional.dropout(y, 0.25) if "--dropout" in sys.argv else y
            y = self.second(y).float()
        return (y, x.view(-1)) if "--view" in sys.argv else y


def logits(x):
    if "--checkpoint" in sys.argv:
        return checkpoint(compiled, x, use_reentrant=False)
    y = compiled(x)
    return y[0] if isinstance(y, tuple) else y


def saved(tensor):
    global packed
    packed += 1
    return tensor


packed = 0
torch.manual_seed(0)
torch.set_num_threads(1)
if "--medium" in sys.argv:
    torch.set_float32_matmul_precision("medium")
net = Net()
compiled = torch.compile(net, backend="inductor" if "--inductor" in sys.argv else "aot_eager")
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(24, 16, requires_grad="--view" in sys.argv), torch.randint(4, (24,))
for step in range(3):
    with torch.autograd.graph.saved_tensors_hooks(saved, saved) if "--own-hooks" in sys.argv else nullcontext():
        loss = nn.functional.cross_entropy(logits(x), y)  # the compiled region is called here
    optimizer.zero_grad()
    loss.backward(retain_graph="--retain" in sys.argv)
    if "--retain" in sys.argv:
        loss.backward()
    optimizer.step()
    print(f"step {step} loss {loss.item():.9f}")
print(sum(float(value.double().sum()) for value in net.state_dict().values()), torch.rand(1).item(), packed)
