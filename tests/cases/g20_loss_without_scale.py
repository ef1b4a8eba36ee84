# SPDX-License-Identifier: Apache-2.0
# Situation: a step has two losses. Only one is multiplied by the loss scale, but scaler.step() divides the gradients of
#   both. The unscaled loss has 1/65536 of its proper weight, and the net learns nothing from it.
# Source: arithmetic; public reports describe faults of this kind.
# Options: --inherited --impact
# steps: 60
# finding.count: 1
# finding[0].kind: loss_not_scaled
# finding[0].remedy: scaler.scale(loss)
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0); torch.set_num_threads(1)
net = nn.Sequential(nn.Linear(32, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
scaler = torch.amp.GradScaler("cpu")
X = torch.randn(512, 32); Y = (X @ torch.randn(32, 10)).argmax(1)
for step in range(60):
    i = torch.randint(0, 512, (64,))
    opt.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        hidden = net[:4](X[i]); loss = F.cross_entropy(net[4](hidden), Y[i])
        aux = 1e-3 * hidden.float().pow(2).mean()       # activation regularisation
    loss.backward(retain_graph=True)
    scaler.scale(aux).backward()
    scaler.step(opt)
    scaler.update()
    if step % 10 == 0: print(step, loss.item(), scaler.get_scale())
print("last", loss.item())
