# SPDX-License-Identifier: Apache-2.0
# feature: a GAN: two optimizers, three backward passes per step
# steps: 3
import torch
import torch.nn as nn

import program_state

torch.manual_seed(999)
torch.set_num_threads(1)
nz = 4
netG = nn.Sequential(
    nn.ConvTranspose2d(nz, 8, 4, bias=False), nn.BatchNorm2d(8), nn.ReLU(True),
    nn.ConvTranspose2d(8, 1, 4, 2, 1, bias=False), nn.Tanh(),
)
netD = nn.Sequential(nn.Conv2d(1, 8, 4, 2, 1, bias=False), nn.LeakyReLU(0.2), nn.Conv2d(8, 1, 4), nn.Flatten(0))
criterion = nn.BCEWithLogitsLoss()
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))

for i in range(3):
    # (1) Update D: real, then fake
    netD.zero_grad()
    real = torch.rand(4, 1, 8, 8)
    errD_real = criterion(netD(real), torch.full((4,), 1.0))
    errD_real.backward()
    fake = netG(torch.randn(4, nz, 1, 1))
    errD_fake = criterion(netD(fake.detach()), torch.full((4,), 0.0))
    errD_fake.backward()
    optimizerD.step()
    # (2) Update G
    netG.zero_grad()
    errG = criterion(netD(fake), torch.full((4,), 1.0))
    errG.backward()
    optimizerG.step()
    print(f"[{i}] Loss_D: {(errD_real + errD_fake).item():.4f} Loss_G: {errG.item():.4f}")
program_state.save(netG=netG, netD=netD)
