# SPDX-License-Identifier: Apache-2.0
# feature: half weights with the program's own masters, loss scale and skipped updates, without a GradScaler
# steps: 9
# loss: ^
import torch

import program_state

torch.set_num_threads(1)
torch.manual_seed(3)
net = torch.nn.Sequential(torch.nn.Linear(6, 12), torch.nn.ReLU(), torch.nn.Linear(12, 2)).half()
masters = [p.detach().float().clone().requires_grad_(True) for p in net.parameters()]
opt = torch.optim.SGD(masters, lr=0.01)
scale = 2.0**18
for _ in range(9):
    x = torch.randn(8, 6).half()
    loss = (net(x).float() - 3).square().mean()
    for p in net.parameters():
        p.grad = None
    (loss * scale).backward()
    print(f"{loss.item():.6f}")
    if not all(bool(p.grad.isfinite().all()) for p in net.parameters()):
        scale /= 4
        continue
    for m, p in zip(masters, net.parameters()):
        m.grad = p.grad.float() / scale
    opt.step()
    with torch.no_grad():
        for m, p in zip(masters, net.parameters()):
            p.copy_(m)
program_state.save(net=net, masters=masters)
