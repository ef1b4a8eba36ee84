# SPDX-License-Identifier: Apache-2.0
# feature: a DataLoader whose workers are started by fork
# steps: 4
# loss: \)
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

import program_state


class Squares(Dataset):
    def __len__(self):
        return 16

    def __getitem__(self, index):
        x = torch.full((3,), float(index)) / 16
        return x + torch.randn(3) * 0.01, (x * x).sum()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    loader = DataLoader(Squares(), batch_size=4, shuffle=True, num_workers=2, multiprocessing_context="fork")
    net = nn.Sequential(nn.Linear(3, 8), nn.Softplus(), nn.Linear(8, 1))
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    for x, y in loader:
        loss = nn.functional.mse_loss(net(x).squeeze(1), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(tuple(x.shape), f"{loss.item():.6f}")
    program_state.save(net=net)


if __name__ == "__main__":
    main()
