# SPDX-License-Identifier: Apache-2.0
# Situation: an RMS norm composed of simple ops squares in FP16: the square is inf, rsqrt turns it into 0, and the net's
#   output is constant. Recorded without --inherited.
# Source: arithmetic; public reports describe faults of this kind.
# steps: 40
# finding[0].kind: overflow_held_by_fp32
# finding[0].line: x.pow(2)
# finding[0].remedy: pow
# finding[0].confirmed: true
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0); torch.set_num_threads(1)
class RMSNorm(nn.Module):
    def __init__(self, d, eps=1e-6):
        super().__init__(); self.weight = nn.Parameter(torch.ones(d)); self.eps = eps
    def forward(self, x):
        var = x.pow(2).mean(-1, keepdim=True)
        return (x * torch.rsqrt(var + self.eps)) * self.weight
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(32, 64); self.up = nn.Linear(64, 64)
        self.norm = RMSNorm(64); self.head = nn.Linear(64, 8)
    def forward(self, x):
        h = self.up(F.gelu(self.embed(x)))
        return self.head(self.norm(h))
net = Net()
with torch.no_grad(): net.up.weight.mul_(600.)      # outlier activations as in T5 encoders
opt = torch.optim.SGD(net.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.)
X = torch.randn(256, 32) * 4; Y = (X @ torch.randn(32, 8)).argmax(1)
for step in range(40):
    i = torch.randint(0, 256, (64,))
    opt.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        loss = F.cross_entropy(net(X[i]).float(), Y[i])
    scaler.scale(loss).backward()
    scaler.step(opt); scaler.update()
    if step % 5 == 0: print(step, loss.item(), scaler.get_scale())
