# SPDX-License-Identifier: Apache-2.0
"""A Python training program as users write them: dropout, batch norm, Adam. Prints a hash of its final state.

usage: train.py [--amp] [--init-scale S] [--workers N] [--start-method M] [--steps N]
"""

import argparse
import hashlib

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.bn = nn.BatchNorm2d(4)
        self.dropout = nn.Dropout(0.25)
        self.fc = nn.Linear(4 * 8 * 8, 10)

    def forward(self, x):
        return self.fc(self.dropout(torch.relu(self.bn(self.conv(x)))).flatten(1))


def batches(options):
    images = torch.randn(8 * options.steps, 1, 8, 8)
    labels = torch.randint(10, (8 * options.steps,))
    data = torch.utils.data.TensorDataset(images, labels)
    context = options.start_method if options.workers else None
    return torch.utils.data.DataLoader(
        data, batch_size=8, shuffle=True, num_workers=options.workers, multiprocessing_context=context
    )


def state_hash(net, optimizer):
    digest = hashlib.sha256()
    tensors = list(net.state_dict().values())
    for state in optimizer.state.values():
        tensors += [value for value in state.values() if torch.is_tensor(value)]
    for tensor in tensors + [torch.random.get_rng_state()]:
        digest.update(tensor.detach().numpy().tobytes())
    return digest.hexdigest()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--amp", action="store_true")
    parser.add_argument("--init-scale", type=float, default=1024.0)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--start-method", default="fork")
    parser.add_argument("--steps", type=int, default=4)
    options = parser.parse_args()

    torch.manual_seed(3)
    net = Net()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler("cpu", init_scale=options.init_scale, enabled=options.amp)
    for images, labels in batches(options):
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16, enabled=options.amp):
            loss = nn.functional.cross_entropy(net(images), labels)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    net.eval()
    with torch.no_grad():
        net(torch.zeros(2, 1, 8, 8))
    print(state_hash(net, optimizer))


if __name__ == "__main__":
    main()
