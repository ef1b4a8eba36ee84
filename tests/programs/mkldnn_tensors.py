# SPDX-License-Identifier: Apache-2.0
# feature: mkldnn tensors, whose memory only oneDNN can read
# steps: 2
# modes: recorded,deep,what-if,recipe
# missing: mkldnn
import torch
from torch import nn
from torch.utils import mkldnn as mkldnn_utils

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(2, 4, 3), nn.ReLU(), nn.Conv2d(4, 2, 3)).eval()
x = torch.randn(1, 2, 10, 10)
with torch.no_grad():
    expected = net(x)
    opaque = mkldnn_utils.to_mkldnn(net)
    out = opaque(x.to_mkldnn())
    print(out.layout, torch.allclose(out.to_dense(), expected, atol=1e-5))
    total = (out + out).to_dense()
print(f"{total.sum().item():.4f}")
program_state.save(expected=expected)
