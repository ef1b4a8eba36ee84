# SPDX-License-Identifier: Apache-2.0
# feature: training on inputs that three passes of backward() made adversarial
# steps: 4
import torch
import torch.nn.functional as F

import program_state

torch.set_num_threads(1)
torch.manual_seed(5)
net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    x, y = torch.randn(10, 8), torch.randint(3, (10,))
    delta = torch.zeros_like(x, requires_grad=True)
    for _ in range(3):
        F.cross_entropy(net(x + delta), y).backward()
        delta.data = (delta + 0.1 * delta.grad.sign()).data
        delta.grad.zero_()
    opt.zero_grad()
    loss = F.cross_entropy(net(x + delta.detach()), y)
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}")
program_state.save(net=net)
