# SPDX-License-Identifier: Apache-2.0
# feature: a model in half precision, without autocast
# steps: 3
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(16, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, 4)).half().eval()
with torch.no_grad():
    for _ in range(3):
        x = torch.randn(4, 16).half()
        y = model(x)
        print(y.dtype, y.argmax(-1).tolist())
program_state.save(model=model)
