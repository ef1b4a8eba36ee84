# SPDX-License-Identifier: Apache-2.0
# feature: weights kept in float8
# steps: 3
import torch
from torch import nn

import program_state


class Float8Linear(nn.Module):
    def __init__(self, linear):
        super().__init__()
        self.scale = linear.weight.abs().max() / torch.finfo(torch.float8_e4m3fn).max
        self.register_buffer("weight", (linear.weight / self.scale).detach().to(torch.float8_e4m3fn))
        self.bias = linear.bias

    def forward(self, x):
        return nn.functional.linear(x, self.weight.to(x.dtype) * self.scale.to(x.dtype), self.bias)


torch.set_num_threads(1)
torch.manual_seed(0)
with torch.no_grad():
    model = nn.Sequential(Float8Linear(nn.Linear(8, 8)), nn.ReLU(), Float8Linear(nn.Linear(8, 2)))
    for _ in range(3):
        print([f"{v:.5f}" for v in model(torch.randn(1, 8))[0].tolist()])
program_state.save(model=model)
