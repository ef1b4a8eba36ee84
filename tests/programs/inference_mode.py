# SPDX-License-Identifier: Apache-2.0
# feature: torch.inference_mode: a model that only predicts
# steps: 4
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)


class Predictor(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Dropout(0.5), nn.Linear(20, 3))

    @torch.inference_mode()
    def predict(self, x):
        return self(x).softmax(-1)

    def forward(self, x):
        return self.layers(x)


model = Predictor().eval()
for i in range(4):
    p = model.predict(torch.randn(2, 10))
    print(i, p.is_inference(), f"{p.max().item():.6f}")
program_state.save(model=model)
