# SPDX-License-Identifier: Apache-2.0
"""DCGAN on small images: generator, discriminator, three losses (real, fake, generator); the user's sigmoid in FP32."""
import argparse

import torch
from apex import amp

parser = argparse.ArgumentParser()
parser.add_argument("--opt_level", default="O1")
args = parser.parse_args()

torch.manual_seed(0)


class Generator(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.main = torch.nn.Sequential(
            torch.nn.ConvTranspose2d(16, 32, 4, 1, 0, bias=False), torch.nn.BatchNorm2d(32), torch.nn.ReLU(True),
            torch.nn.ConvTranspose2d(32, 16, 4, 2, 1, bias=False), torch.nn.BatchNorm2d(16), torch.nn.ReLU(True),
            torch.nn.ConvTranspose2d(16, 1, 4, 2, 1, bias=False), torch.nn.Tanh())

    def forward(self, input):
        return self.main(input)


class Discriminator(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.main = torch.nn.Sequential(
            torch.nn.Conv2d(1, 16, 4, 2, 1, bias=False), torch.nn.LeakyReLU(0.2),
            torch.nn.Conv2d(16, 32, 4, 2, 1, bias=False), torch.nn.BatchNorm2d(32), torch.nn.LeakyReLU(0.2),
            torch.nn.Conv2d(32, 1, 4, 1, 0, bias=False))

    def forward(self, input):
        return self.main(input).view(-1)


netG, netD = Generator(), Discriminator()
criterion = torch.nn.BCEWithLogitsLoss()
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999), eps=1e-4)
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999), eps=1e-4)
amp.register_float_function(torch, "sigmoid")
[netD, netG], [optimizerD, optimizerG] = amp.initialize(
    [netD, netG], [optimizerD, optimizerG], opt_level=args.opt_level, num_losses=3)

losses = []
for i in range(4):
    real = torch.rand(8, 1, 16, 16) * 2 - 1
    netD.zero_grad()
    errD_real = criterion(netD(real), torch.ones(8))
    with amp.scale_loss(errD_real, optimizerD, loss_id=0) as errD_real_scaled:
        errD_real_scaled.backward()
    fake = netG(torch.randn(8, 16, 1, 1))
    errD_fake = criterion(netD(fake.detach()), torch.zeros(8))
    with amp.scale_loss(errD_fake, optimizerD, loss_id=1) as errD_fake_scaled:
        errD_fake_scaled.backward()
    optimizerD.step()
    netG.zero_grad()
    output = netD(fake)
    errG = criterion(output, torch.ones(8))
    with amp.scale_loss(errG, optimizerG, loss_id=2) as errG_scaled:
        errG_scaled.backward()
    optimizerG.step()
    losses += [errD_real.item(), errD_fake.item(), errG.item(), torch.sigmoid(output).mean().item()]
