# SPDX-License-Identifier: Apache-2.0
# feature: named tensors
# steps: 0
# absent: TypeError: randn.. received an invalid combination of arguments.*names=
import warnings

import torch

import program_state

warnings.filterwarnings("ignore", message="Named tensors")
torch.set_num_threads(1)
torch.manual_seed(1)

with torch.no_grad():
    images = torch.randn(2, 3, 4, 5, names=("N", "C", "H", "W"))
    mean = images.mean("C")
    bright = images.align_to("N", "H", "W", "C") * torch.rand(3, names=("C",))
    flat = bright.flatten(["H", "W"], "pixels")
    weights = torch.randn(3, 2, names=("C", "K"))
    scores = torch.matmul(flat, weights)
print(mean.names, flat.names, scores.names)
print(f"{scores.sum().item():.5f}")
program_state.save(scores=scores.rename(None), mean=mean.rename(None))
