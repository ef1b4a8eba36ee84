# SPDX-License-Identifier: Apache-2.0
# feature: complex parameters, FFT and their gradients
# steps: 3
# loss: ^
# missing: complex
import torch
from torch import nn

import program_state


class SpectralConv(nn.Module):
    """One layer of a Fourier neural operator."""

    def __init__(self, channels, modes):
        super().__init__()
        self.modes = modes
        self.weight = nn.Parameter(torch.randn(channels, channels, modes, dtype=torch.cfloat) / channels)

    def forward(self, x):
        f = torch.fft.rfft(x)
        kept = torch.einsum("bim,iom->bom", f[..., : self.modes], self.weight)
        return torch.fft.irfft(nn.functional.pad(kept, (0, f.shape[-1] - self.modes)), n=x.shape[-1])


torch.set_num_threads(1)
torch.manual_seed(0)
net = nn.Sequential(SpectralConv(2, 4), nn.GELU(), SpectralConv(2, 3))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for _ in range(3):
    u = torch.randn(3, 2, 16)
    loss = (net(u) - u.roll(1, -1)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}", net[0].weight.grad.is_complex())
program_state.save(net=net)
