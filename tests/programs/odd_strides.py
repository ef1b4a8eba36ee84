# SPDX-License-Identifier: Apache-2.0
# feature: expanded and overlapping strides, for reads and writes
# steps: 3
# loss: ^
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(12)
kernel = nn.Parameter(torch.randn(4))
opt = torch.optim.SGD([kernel], lr=0.01)
signal = torch.randn(16)

for _ in range(3):
    # Convolution by a view whose rows overlap.
    windows = signal.as_strided((13, 4), (1, 1))
    out = (windows * kernel.expand(13, 4)).sum(-1)
    loss = (out - signal[2:15]).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}")

wide = torch.zeros(3, 1).expand(3, 5)
print(wide.stride(), (wide + torch.arange(5.0)).sum().item())
every_other = torch.arange(20.0)[::2]
every_other.mul_(2)
turned = torch.arange(6.0).reshape(2, 3).t()
turned[1:] += 10
print(every_other.tolist(), turned.is_contiguous(), turned.flatten().tolist())
program_state.save(kernel=kernel, every_other=every_other, turned=turned)
