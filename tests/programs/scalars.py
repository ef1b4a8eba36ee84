# SPDX-License-Identifier: Apache-2.0
# feature: 0-dim tensors and Python numbers: a learnt temperature
# steps: 4
import torch

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
temperature = torch.nn.Parameter(torch.tensor(1.5))
bias = torch.nn.Parameter(torch.zeros(()))
logits, labels = torch.randn(20, 3) * 4, torch.randint(3, (20,))
opt = torch.optim.SGD([temperature, bias], lr=0.1)
for _ in range(4):
    opt.zero_grad()
    loss = torch.nn.functional.cross_entropy(logits / temperature + bias, labels)
    loss = loss + 0.01 * temperature**2
    loss.backward()
    opt.step()
    print(f"T = {temperature.item():.5f}, loss = {float(loss.detach()):.5f}")
x = torch.tensor(2.0, dtype=torch.float16) * 3
x += 1
print(x.item(), (torch.tensor(7) // 2).item())
program_state.save(temperature=temperature, bias=bias)
