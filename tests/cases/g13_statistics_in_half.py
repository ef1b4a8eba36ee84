# SPDX-License-Identifier: Apache-2.0
# Situation: an FP16 model trains on values that are not normalised. The running variance of its batch norm exceeds
#   65504 and becomes inf. Training uses the batch's statistics, so nothing goes wrong before inference.
# Source: arithmetic; public reports describe faults of this kind.
# Options: --inherited
# steps: 60
# event.count: at least 1
# event[0].outcome: buffer
# finding[0].kind: buffer_out_of_range
# finding[0].remedy: norm0
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0); torch.set_num_threads(1)
class Net(nn.Module):
    def __init__(self):
        super().__init__(); self.norm0 = nn.BatchNorm2d(1); self.conv = nn.Conv2d(1, 8, 3, padding=1)
        self.norm1 = nn.BatchNorm2d(8); self.fc = nn.Linear(8, 2)
    def forward(self, x): return self.fc(F.relu(self.norm1(self.conv(self.norm0(x)))).mean((2, 3)))
net = Net().half()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
X = torch.randn(128, 1, 12, 12) ; Y = torch.arange(128) % 2
X = X * (0.5 + Y[:, None, None, None])               # contrast depends on the class
CT = (1000 + 800 * X).half()                          # Hounsfield units, not normalised
for step in range(60):
    i = torch.randint(0, 128, (32,))
    opt.zero_grad()
    loss = F.cross_entropy(net(CT[i]).float(), Y[i])
    loss.backward(); opt.step()
    if step % 10 == 0: print(step, loss.item())
net.eval()
with torch.no_grad():
    print("accuracy", (net(CT).argmax(1) == Y).float().mean().item(), "running_var", net.norm0.running_var.item())
