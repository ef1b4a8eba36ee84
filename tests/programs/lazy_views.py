# SPDX-License-Identifier: Apache-2.0
# feature: conj and neg views, which change values only when they are read
# steps: 0
import torch

import program_state

torch.set_num_threads(1)
torch.manual_seed(25)
with torch.no_grad():
    z = torch.randn(4, 4, dtype=torch.complex64)
    c = z.conj()
    n = c.imag
    print(c.is_conj(), n.is_neg(), n.is_contiguous())
    gram = z.mH @ z
    power = (c * z).real + n * 2
    n2 = n.clone()
    c.mul_(1j)
    half = n2.to(torch.float16)
print(f"{gram.real.trace().item():.5f} {power.sum().item():.5f} {z.imag.sum().item():.5f} {half.sum().item():.3f}")
program_state.save(gram=gram, power=power, z=z, c=c)
