# SPDX-License-Identifier: Apache-2.0
# feature: torch.jit.trace and optimize_for_inference of a convolution net
# steps: 1|3|4
import torch
from torch import nn

import program_state

torch.manual_seed(6)
torch.set_num_threads(1)
net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 36, 3)).eval()

with torch.no_grad():
    traced = torch.jit.trace(net, torch.randn(1, 1, 8, 8), check_trace=False)
    frozen = torch.jit.freeze(traced)
    results = []
    for i in range(3):
        x = torch.randn(2, 1, 8, 8)
        results.append(frozen(x))
        print(i, results[-1].argmax(1).tolist(), f"{results[-1].sum().item():.4f}")
program_state.save(net=net, results=results)
