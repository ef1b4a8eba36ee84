# SPDX-License-Identifier: Apache-2.0
"""Models with a part that is frozen in BF16, and their training loop.

Each model casts activations to the types of its weights. So a copy of the model with FP64 weights computes everything in FP64."""

import torch
from torch import nn
from torch.nn import functional

import states

STEPS = 20

torch.set_num_threads(1)
torch.manual_seed(1)


def data(count=64):
    x = torch.randn(count, 32)
    return x, (x[:, :5] * x[:, 5:10] + x[:, 10:15]).argmax(1)


def type_of(layer):
    return layer.weight.dtype


class Head(nn.Module):
    """FP32 layers on a frozen BF16 trunk. Without `records`, the trunk runs under torch.no_grad()."""

    def __init__(self, records=True):
        super().__init__()
        self.records = records
        self.trunk = nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 64), nn.GELU())
        self.trunk.bfloat16().requires_grad_(False)
        self.fc1, self.fc2 = nn.Linear(64, 32), nn.Linear(32, 5)

    def forward(self, x, y):
        with torch.set_grad_enabled(self.records and torch.is_grad_enabled()):
            features = self.trunk(x.to(type_of(self.trunk[0])))
        return functional.cross_entropy(self.fc2(torch.tanh(self.fc1(features.to(type_of(self.fc1))))), y)


class Adapter(nn.Module):
    """Trains two small FP32 layers beside a frozen one: LoRA, or DoRA with magnitudes."""

    def __init__(self, layer, has_magnitude):
        super().__init__()
        self.layer = layer
        outputs, inputs = layer.weight.shape
        self.lora_A, self.lora_B = nn.Linear(inputs, 4, bias=False), nn.Linear(4, outputs, bias=False)
        self.magnitude = nn.Parameter(layer.weight.detach().float().norm(dim=1)) if has_magnitude else None

    def forward(self, x):
        y, wide = self.layer(x), type_of(self.lora_A)
        added = self.lora_B(self.lora_A(x.to(wide))).to(y.dtype)
        if self.magnitude is None:
            return y + added
        length = (self.layer.weight.to(wide) + self.lora_B.weight @ self.lora_A.weight).norm(dim=1).detach()
        return (y + added) * (self.magnitude / length).to(y.dtype)


class Adapted(nn.Module):
    """A frozen BF16 net with adapters."""

    def __init__(self, has_magnitude=False):
        super().__init__()
        layers = nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 64), nn.GELU(), nn.Linear(64, 5))
        layers.bfloat16().requires_grad_(False)
        layers[0], layers[2] = Adapter(layers[0], has_magnitude), Adapter(layers[2], has_magnitude)
        self.layers = layers

    def forward(self, x, y):
        scores = self.layers(x.to(type_of(self.layers[4])))
        return functional.cross_entropy(scores.to(torch.promote_types(scores.dtype, torch.float32)), y)


def trained(model):
    return [parameter for parameter in model.parameters() if parameter.requires_grad]


def by(optimizer):
    """Returns a function that takes a loss and updates the weights with `optimizer`."""

    def update(loss):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return update


def train(model, update, batch_of=lambda x, y: (x, y)):
    """Trains a model. `batch_of` makes the model's batch from the exact batch, which is saved to compute the true
    change of the loss."""
    for step in range(1, STEPS + 1):
        exact = data()
        loss = model(*batch_of(*exact))
        states.keep(step, loss, model, exact, warm_up=0)
        update(loss)
        print(step, loss.item())
