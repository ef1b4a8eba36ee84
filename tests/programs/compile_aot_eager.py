# SPDX-License-Identifier: Apache-2.0
# feature: torch.compile, backend aot_eager, the training step written out
# steps: 3
# loss: loss
# missing: compile
import torch
import torch.nn as nn
import torch.nn.functional as F

import program_state


class Net(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.a = nn.Linear(8, width)
        self.bn = nn.BatchNorm1d(width)
        self.b = nn.Linear(width, 1)

    def forward(self, x):
        h = torch.relu(self.bn(self.a(x)))
        return self.b(h).squeeze(-1)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(42)
    net = Net()
    fast = torch.compile(net, backend="aot_eager")
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    data = torch.randn(3, 16, 8)
    for x in data:
        loss = F.mse_loss(fast(x), x.sum(-1))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        print("loss", loss.item())
    program_state.save(net=net)
