# SPDX-License-Identifier: Apache-2.0
"""Marks its steps with NVTX ranges through PyTorch. Needs no GPU."""
import torch

model = torch.nn.Linear(8, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.cuda.nvtx.range_push("epoch")
for step in range(3):
    torch.cuda.nvtx.range_push(f"step {step}")
    loss = model(torch.ones(2, 8)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch.cuda.nvtx.range_pop()
torch.cuda.nvtx.range_pop()
