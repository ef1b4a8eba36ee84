# SPDX-License-Identifier: Apache-2.0
# Attention whose scores exceed 65504 before they are scaled. With torch.autocast in FP16 they become inf, so every step
# is skipped, and the loss scale falls without end.
import torch
from torch import nn

torch.manual_seed(0)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(16, 16, bias=False) for _ in range(3))

    def forward(self, x):
        scores = (self.query(x) * 400) @ (self.key(x) * 400).transpose(1, 2)
        return torch.softmax(scores / 160000, dim=-1) @ self.value(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = Attention()
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        return self.head(x + self.attention(x)).squeeze(-1)


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
x = torch.randn(8, 6, 16)
target = x.sum(-1) / 4
before = model.head.weight.detach().clone()
# code
for step in range(12):
    with torch.autocast("cpu", torch.float16):
        loss = nn.functional.mse_loss(model(x).float(), target)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
print("trained" if not torch.equal(before, model.head.weight) else "did not train", f"{loss.item():.4f}")
