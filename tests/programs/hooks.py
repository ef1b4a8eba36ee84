# SPDX-License-Identifier: Apache-2.0
# feature: forward, forward-pre and backward hooks on modules and tensors
# steps: 3
# loss: ^
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 7), nn.Hardtanh(), nn.Linear(7, 2))
log = []


def note(name):
    def hook(module, inputs, output):
        log.append((name, round(output.detach().float().std().item(), 5)))

    return hook


def shrink_gradient(module, grad_input, grad_output):
    log.append(("backward", round(grad_output[0].norm().item(), 5)))
    return tuple(g * 0.5 if g is not None else None for g in grad_input)


for name, module in net.named_children():
    module.register_forward_hook(note(name))
net[0].register_forward_pre_hook(lambda module, args: (args[0].clamp(-1, 1),))
net[2].register_full_backward_hook(shrink_gradient)
net[0].weight.register_hook(lambda g: g.clamp(-0.1, 0.1))

opt = torch.optim.SGD(net.parameters(), lr=0.5)
for _ in range(3):
    opt.zero_grad()
    loss = net(torch.randn(6, 5)).logsumexp(-1).mean()
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}", log)
    log.clear()
program_state.save(net=net)
