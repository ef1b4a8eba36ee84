# SPDX-License-Identifier: Apache-2.0
# Situation: a checkpoint stores optimizer state in FP16. An exp_avg_sq of 1e-9 becomes 0 and is still 0 when loaded as
#   FP32. So the first update after resuming divides only by eps, and the loss of step 152 is a hundred times the
#   previous one. All steps are plain FP32; the cause is a cast outside of steps. `full` saves FP32.
# Source: ultralytics/ultralytics#24085, TensorAuto/OpenTau#184.
# Options: --impact --inherited
# steps: 160
# overflows: 0
# event.count: 0
# losses: includes printed losses
# op[line~v.half() if n != "step"].flushed: at least 195
# answer: v.half() or flushed
# finding.count: 1
# finding[0].kind: flushed_cast
# finding[0].line: v.half()
# finding[0].remedy: FP32
# With: full
# finding.count: 0
# steps: 160
# losses: includes printed losses
# op[line~v.half() if n != "step"].flushed: absent or 0
import hashlib
import io
import sys
import torch
from torch import nn


def save(net, opt):
    state = opt.state_dict()
    if "full" not in sys.argv:
        state["state"] = {k: {n: v.half() if n != "step" else v for n, v in s.items()} for k, s in state["state"].items()}
    file = io.BytesIO()
    torch.save({"net": net.state_dict(), "opt": state}, file)
    file.seek(0)
    return file


def make():
    net = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 3))
    return net, torch.optim.AdamW(net.parameters(), lr=1e-2)


def train(net, opt, steps, losses):
    for _ in range(steps):
        x = torch.randn(32, 8)
        loss = (net(x) - x[:, :3] * 0.5).pow(2).mean() * 1e-3
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())


torch.set_num_threads(1)
torch.manual_seed(34)
losses = []
net, opt = make()
train(net, opt, 150, losses)
file = save(net, opt)
net, opt = make()
saved = torch.load(file, weights_only=True)
net.load_state_dict(saved["net"])
opt.load_state_dict(saved["opt"])
zero = sum(int((s["exp_avg_sq"] == 0).sum()) for s in opt.state.values())
train(net, opt, 10, losses)
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("zero moments", zero, "of", sum(p.numel() for p in net.parameters()), "losses", repr(losses[148:]), "state", state)
