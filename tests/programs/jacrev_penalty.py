# SPDX-License-Identifier: Apache-2.0
# feature: jacrev and hessian from torch.func
# steps: 0|1
import torch
from torch.func import hessian, jacfwd, jacrev

import program_state

torch.set_num_threads(1)
torch.manual_seed(8)


def energy(q):
    return (q.outer(q).cos().sum() + q.pow(4).sum()) / 2


@torch.no_grad()
def analyse(q):
    j = jacrev(torch.sin)(q)
    jf = jacfwd(torch.sin)(q)
    h = hessian(energy)(q)
    return j, jf, h


j, jf, h = analyse(torch.randn(4))
print(torch.allclose(j, jf), torch.allclose(h, h.T, atol=1e-5))
print("eigenvalues", [f"{v:.4f}" for v in torch.linalg.eigvalsh(h).tolist()])
program_state.save(j=j, h=h)
