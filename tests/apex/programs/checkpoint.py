# SPDX-License-Identifier: Apache-2.0
"""Saves model, optimizer and amp halfway, and continues in new objects. Losses are bitwise equal."""
import argparse
import io

import torch
from apex import amp

parser = argparse.ArgumentParser()
parser.add_argument("--opt_level", default="O1")
args = parser.parse_args()


def build():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.BatchNorm1d(32), torch.nn.ReLU(), torch.nn.Linear(32, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    return amp.initialize(model, optimizer, opt_level=args.opt_level)


def train(model, optimizer, batches):
    losses = []
    for data, target in batches:
        loss = torch.nn.functional.mse_loss(model(data), target)
        optimizer.zero_grad()
        with amp.scale_loss(loss, optimizer) as scaled_loss:
            scaled_loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


generator = torch.Generator().manual_seed(1)
batches = [(torch.randn(8, 16, generator=generator), torch.randn(8, 1, generator=generator)) for _ in range(8)]
batches[1][1].mul_(30)  # its scaled gradient overflows in FP16: the scale is part of the checkpoint

model, optimizer = build()
losses = train(model, optimizer, batches[:4])
file = io.BytesIO()
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "amp": amp.state_dict()}, file)
losses += train(model, optimizer, batches[4:])

file.seek(0)
checkpoint = torch.load(file)
again, optimizer_again = build()
again.load_state_dict(checkpoint["model"])
optimizer_again.load_state_dict(checkpoint["optimizer"])
amp.load_state_dict(checkpoint["amp"])
resumed = losses[:4] + train(again, optimizer_again, batches[4:])
same_weights = all(torch.equal(a, b) for a, b in zip(model.state_dict().values(), again.state_dict().values()))
