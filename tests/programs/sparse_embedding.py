# SPDX-License-Identifier: Apache-2.0
# feature: sparse COO gradients: nn.Embedding(sparse=True) with SparseAdam
# steps: 4
# loss: ^
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)


class SkipGram(nn.Module):
    def __init__(self, vocabulary=30, size=8):
        super().__init__()
        self.center = nn.Embedding(vocabulary, size, sparse=True)
        self.context = nn.EmbeddingBag(vocabulary, size, sparse=True, mode="sum")

    def forward(self, center, context):
        return (self.center(center) * self.context(context)).sum(-1)


model = SkipGram()
opt = torch.optim.SparseAdam(model.parameters(), lr=0.05)
for _ in range(4):
    center, context = torch.randint(30, (5,)), torch.randint(30, (5, 3))
    loss = nn.functional.softplus(-model(center, context)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    grad = model.center.weight.grad
    print(f"{loss.item():.6f}", grad.layout, grad._nnz())
program_state.save(model=model)
