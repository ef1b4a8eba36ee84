# SPDX-License-Identifier: Apache-2.0
# feature: forward-mode AD: torch.func.jvp and dual numbers
# steps: 0
import torch
import torch.autograd.forward_ad as fwAD
from torch.func import jvp

import program_state

torch.set_num_threads(1)
torch.manual_seed(4)

w = torch.randn(3, 3)
f = lambda x: torch.sin(x @ w).cumsum(-1)

with torch.no_grad():
    x, t = torch.randn(2, 3), torch.randn(2, 3)
    value, tangent = jvp(f, (x,), (t,))
with fwAD.dual_level():
    dual = fwAD.make_dual(x, t)
    primal2, tangent2 = fwAD.unpack_dual(f(dual))
print(torch.equal(value, primal2), torch.allclose(tangent, tangent2))
print(f"{tangent.norm().item():.6f}")
program_state.save(value=value, tangent=tangent)
