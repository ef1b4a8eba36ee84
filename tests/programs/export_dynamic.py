# SPDX-License-Identifier: Apache-2.0
# feature: torch.export with a symbolic batch size, then run
# steps: 3
import torch
from torch import nn
from torch.export import Dim, export

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv1d(2, 4, 3), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten())
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        return self.head(self.body(x)).softmax(-1)


model = Classifier().eval()
batch = Dim("batch", min=2, max=64)
exported = export(model, (torch.randn(4, 2, 16),), dynamic_shapes={"x": {0: batch}})
print("nodes:", sum(1 for _ in exported.graph.nodes))

runnable = exported.module()
outputs = []
with torch.no_grad():
    for n in (2, 5, 9):
        outputs.append(runnable(torch.randn(n, 2, 16)))
        print(n, tuple(outputs[-1].shape), f"{outputs[-1].max().item():.6f}")
program_state.save(model=model, outputs=outputs)
