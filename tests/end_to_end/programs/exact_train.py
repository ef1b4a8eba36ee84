"""Trains on numbers with so few digits that each sum is exact in FP32, in any order. `exact_train.py DEVICE KIND`
computes the same bits on a CPU, a GPU and the fake CUDA runtime, and prints the results. KIND is autocast, half or
float. With a third argument `poisoned`, gradients overflow in one step."""
import sys

import torch

device, kind = sys.argv[1:3]
dtype = torch.float16 if kind == "half" else torch.float32
torch.manual_seed(0)
generator = torch.Generator().manual_seed(0)


def numbers(most, step, *shape):
    """Returns random multiples of `step`, from -most to most times `step`. Draws them on the CPU."""
    return torch.randint(-most, most + 1, shape, generator=generator) * step


model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 8)).to(device, dtype)
digits = 4 if kind == "float" else 6
starts = [numbers(2**digits - 1, 2.0**-digits / 2, *weight.shape).to(device, dtype) for weight in model.parameters()]
weight_of_loss = 2.0**-12 if kind == "half" else 1.0  # flushes some of the gradients to zero in FP16
optimizer = torch.optim.SGD(model.parameters(), lr=2.0**8 if kind == "half" else 2.0**-13, foreach=False)
scaler = torch.amp.GradScaler(device, init_scale=1024, enabled=kind == "autocast")


def step(x, target):
    with torch.no_grad():  # updated weights would have more digits
        for weight, start in zip(model.parameters(), starts):
            weight.copy_(start)
    optimizer.zero_grad()
    with torch.autocast(device, torch.float16, enabled=kind == "autocast"):
        loss = (model(x).float() * target).mean() * weight_of_loss
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return loss


losses = []
for i in range(6):
    x = numbers(3, 0.5, 8, 16).to(device, dtype)
    target = numbers(3, 0.25, 8, 8).to(device)
    if i == 3 and "poisoned" in sys.argv:
        target = target * 2.0**14
    losses.append(step(x, target))
print([loss.item() for loss in losses], [weight.double().sum().item() for weight in model.cpu().parameters()], scaler.get_scale())
