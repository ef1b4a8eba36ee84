# SPDX-License-Identifier: Apache-2.0
# feature: torch.autograd.grad for logging, in addition to the training loss
# steps: 4
# loss: ^\S+
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(55)
net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(64, 10))
opt = torch.optim.SGD(net.parameters(), lr=1e-2)

for it in range(4):
    image = torch.randn(2, 1, 6, 6, requires_grad=True)
    label = torch.tensor([it, 9 - it])
    scores = net(image)
    # what does the network look at?
    (saliency,) = torch.autograd.grad(scores.max(1).values.sum() * 100, image, retain_graph=True)
    loss = nn.functional.cross_entropy(scores, label)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(it, f"{loss.item():.5f}", f"{saliency.abs().mean().item():.5f}")
program_state.save(net=net)
