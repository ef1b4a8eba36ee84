# SPDX-License-Identifier: Apache-2.0
# feature: torch.vmap over a batch of small problems
# steps: 0
import torch
from torch.func import vmap

import program_state

torch.manual_seed(11)
torch.set_num_threads(1)


def ridge(features, target, strength):
    gram = features.T @ features + strength * torch.eye(features.shape[1])
    return torch.linalg.solve(gram, features.T @ target)


with torch.no_grad():
    X, y = torch.randn(6, 20, 3), torch.randn(6, 20)
    strengths = torch.logspace(-3, 1, 6)
    w = vmap(ridge)(X, y, strengths)
    dots = vmap(vmap(torch.dot, in_dims=(0, None)), in_dims=(None, 0))(w, w)
print(w.shape, dots.shape)
print(" ".join(f"{v:.4f}" for v in w.norm(dim=1)))
program_state.save(w=w, dots=dots)
