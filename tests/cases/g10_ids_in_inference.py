# SPDX-License-Identifier: Apache-2.0
# Situation: an inference model stores its chosen class in BF16, beside its scores, and looks up a row by it. BF16
#   represents all integers only up to 256, so most of 2,000 classes change. `exact` keeps the class as an integer.
# Source: arithmetic; as r27, without training.
# Options: --inherited
# steps: 0
# decision[line~.to(kind)].share: 0.5 to 0.9
# finding.count: 1
# finding[0].kind: decisions_flip
# finding[0].line: .to(kind)
# With: exact
# finding.count: 0
import sys
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)
kind = torch.int64 if "exact" in sys.argv else torch.bfloat16
net = nn.Linear(32, 2000).to(torch.bfloat16).eval()
table = torch.randn(2000, 8)
with torch.no_grad():
    for _ in range(4):
        chosen = net(torch.randn(64, 32).bfloat16()).argmax(-1)
        chosen = chosen.to(kind).long()
        print(table[chosen].sum().item())
