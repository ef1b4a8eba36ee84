# SPDX-License-Identifier: Apache-2.0
# Situation: a loss returns preds.sum() * 0 if a batch has no targets. The sum of confident predictions is inf in FP16,
#   so the loss is NaN. The loss's gradient is 0 and finite: the scaler sees nothing, only the log shows NaN.
# Source: ultralytics/ultralytics#25097.
# Options: --impact --inherited
# steps: 8
# skipped: 0
# overflows: 0
# final_scale: 1024
# losses: printed losses
# event.count: 2
# event[step=3].line: return preds.sum() * 0
# event[step=3].op: sum
# event[step=3].outcome: loss
# event[step=6].line: return preds.sum() * 0
# advised: sum
# finding.count: 1
# finding[0].kind: overflow_held_by_fp32
# finding[0].confirmed: true
# finding[0].line: preds.sum() * 0
# finding[0].remedy: sum fp32
import hashlib
import torch
from torch import nn
from torch.nn import functional as F


class SegLoss(nn.Module):
    def forward(self, preds, labels):
        keep = labels != 255
        if not keep.any():
            return preds.sum() * 0
        return F.binary_cross_entropy_with_logits(preds[keep], labels[keep].to(preds.dtype))


torch.set_num_threads(1)
torch.manual_seed(10)
net, criterion = nn.Conv2d(3, 4, 3, padding=1), SegLoss()
nn.init.constant_(net.bias, 9.0)
opt = torch.optim.SGD(net.parameters(), lr=1e-2)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
losses = []
for i in range(8):
    x = torch.randn(2, 3, 32, 32)
    labels = (torch.rand(2, 4, 32, 32) < 0.9).float()
    if i in (2, 5):
        labels.fill_(255)
    with torch.autocast("cpu", dtype=torch.float16):
        loss = criterion(net(x), labels)
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    losses.append(loss.item())
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("losses", repr(losses), "scale", scaler.get_scale(), "finite weights", all(bool(p.isfinite().all()) for p in net.parameters()), "state", state)
