# SPDX-License-Identifier: Apache-2.0
# feature: nested tensors, strided layout
# steps: 0
# missing: nested
import warnings

import torch

import program_state

warnings.filterwarnings("ignore", message="The PyTorch API of nested tensors")
torch.set_num_threads(1)
torch.manual_seed(5)

with torch.no_grad():
    lines = torch.nested.nested_tensor([torch.randn(n, 4) for n in (3, 5, 2)])
    w = torch.randn(4, 6)
    h = torch.nested.nested_tensor([t @ w for t in lines.unbind()]).relu()
    padded = torch.nested.to_padded_tensor(h, 0.0)
    linear = torch.nn.functional.linear(lines, w.T, torch.zeros(6))
print(lines.is_nested, tuple(padded.shape), f"{padded.sum().item():.5f}")
print([tuple(t.shape) for t in linear.unbind()])
program_state.save(padded=padded, linear=list(linear.unbind()))
