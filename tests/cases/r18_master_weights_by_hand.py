# SPDX-License-Identifier: Apache-2.0
# Situation: the program keeps FP32 masters of an FP16 model itself, with a Python number as loss scale that halves and
#   doubles. Gradients are infinite in steps 1 to 3. In steps 4, 6 and 7 they are finite, but the check's own g.sum() in
#   FP16 overflows. The update writes the masters; the copy to the FP16 weights is a cast.
# Source: facebookresearch/fairseq#1529 and #282, cybertronai/transformer-xl#2, NVIDIA/tacotron2#112.
# Options: --impact --inherited
# steps: 14
# skipped: 6
# loss.count: 14
# losses: includes printed losses
# event[step=1].op: to
# event[step=1].line: loss = (net(x).float() - y)
# event[step=4].op: sum
# event[step=4].line: torch.isfinite(g.sum())
# event[step=4].outcome: skipped
# update[dtype=f16].count: 0
# update[dtype=f32].count: at least 4
# update[dtype=f32].lost: 0
# finding.count: 2
# finding[kind=overflow_held_by_fp32].line: g.sum()
# finding[kind=loss_scale_too_large].remedy: scale of 16384
import hashlib
import torch
from torch import nn


class HandScaler:
    def __init__(self, scale):
        self.scale, self.good = scale, 0

    def overflow(self, grads):
        return not all(bool(torch.isfinite(g.sum())) for g in grads)


torch.set_num_threads(1)
torch.manual_seed(17)
net = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 4)).half()
masters = [p.detach().float().clone().requires_grad_(True) for p in net.parameters()]
opt = torch.optim.AdamW(masters, lr=1e-3)
scaler = HandScaler(2.0**19)
losses, overflowed, scales = [], [], []
for i in range(14):
    x, y = (torch.randn(16, 12) * 2).half(), torch.randn(16, 4) * 2
    loss = (net(x).float() - y).pow(2).mean()
    scales.append(scaler.scale)
    for p in net.parameters():
        p.grad = None
    (loss * scaler.scale).backward()
    if scaler.overflow([p.grad for p in net.parameters()]):
        scaler.scale, scaler.good = scaler.scale / 2, 0
        overflowed.append(i + 1)
        continue
    for m, p in zip(masters, net.parameters()):
        m.grad = p.grad.float().div_(scaler.scale)
    opt.step()
    with torch.no_grad():
        for m, p in zip(masters, net.parameters()):
            p.copy_(m)
    scaler.good += 1
    if scaler.good % 5 == 0:
        scaler.scale *= 2
    losses.append(loss.item())
d = hashlib.sha256(b"".join(m.detach().numpy().tobytes() for m in masters))
d.update(b"".join(p.detach().view(torch.int16).numpy().tobytes() for p in net.parameters()))
print("overflowed", overflowed, "scales", scales, "losses", repr(losses), "state", d.hexdigest()[:16])
