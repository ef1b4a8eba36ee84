# SPDX-License-Identifier: Apache-2.0
# Situation: a diffusion model receives its timesteps cast to BF16, whose numbers are 4 apart between 512 and 1023: 750
#   becomes 752, and the embedding table returns the row of another step. The rounded number is used as an integer, so
#   local errors are tiny. With the original timesteps, the loss of step 1 is 0.55117.
# Source: huggingface/diffusers#9405, modelscope/DiffSynth-Studio#562 and #1025, utensils/mold#786, Nerogar/OneTrainer#1177.
# Options: --impact --inherited
# steps: 6
# overflows: 0
# losses: printed losses
# loss[step=1].shadow: 0.5510 to 0.5513
# decision[line~t = t.to(x.dtype).long()].share: 0.5 to 0.9
# finding.count: 1
# finding[0].kind: decisions_flip
# finding[0].line: t.to(x.dtype)
# finding[0].remedy: FP32
# With: exact
# finding.count: 0
# losses: printed losses
# decision[line~t = t.to(x.dtype).long()].share: absent or 0
import hashlib
import sys
import torch
from torch import nn
from torch.nn import functional as F


class Denoiser(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.table = nn.Embedding(1001, d)
        self.mlp = nn.Sequential(nn.Linear(2 * d, 32), nn.SiLU(), nn.Linear(32, d))

    def forward(self, x, t):
        if "exact" not in sys.argv:
            t = t.to(x.dtype).long()
        return self.mlp(torch.cat((x, self.table(t)), -1))


torch.set_num_threads(1)
torch.manual_seed(26)
net = Denoiser().to(torch.bfloat16)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
losses, changed = [], []
for _ in range(6):
    t = torch.randint(520, 1000, (24,))
    x = torch.randn(24, 16).bfloat16()
    loss = F.mse_loss(net(x, t).float(), torch.sin(t[:, None] * torch.arange(1, 17) * 0.37))
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
    changed.append(int((t.bfloat16().long() != t).sum()))
d = hashlib.sha256(b"".join(p.detach().view(torch.int16).numpy().tobytes() for p in net.parameters()))
print("timesteps changed", changed, "of 24, losses", repr(losses), "state", d.hexdigest()[:16])
