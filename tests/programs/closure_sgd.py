# SPDX-License-Identifier: Apache-2.0
# feature: optimizer.step(closure) with SGD, as PyTorch Lightning calls it
# steps: 8
# loss: train_loss
import torch
from torch import nn

import program_state


class LightModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(5, 10), nn.ELU(), nn.Linear(10, 2))

    def training_step(self, batch):
        x, y = batch
        return nn.functional.cross_entropy(self.net(x), y)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1, momentum=0.9)


def fit(module, batches):
    optimizer = module.configure_optimizers()
    for batch in batches:

        def closure():
            loss = module.training_step(batch)
            optimizer.zero_grad()
            loss.backward()
            return loss

        loss = optimizer.step(closure)
        print("train_loss", f"{loss.item():.6f}")


torch.set_num_threads(1)
torch.manual_seed(0)
module = LightModule()
fit(module, [(torch.randn(6, 5), torch.randint(2, (6,))) for _ in range(8)])
program_state.save(module=module)
