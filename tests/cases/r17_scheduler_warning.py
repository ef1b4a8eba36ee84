# SPDX-License-Identifier: Apache-2.0
# Situation: scheduler.step() follows scaler.step() in each iteration. If the first step is skipped, PyTorch warns that
#   the scheduler ran before the optimizer. PyTorch detects this with its wrapper around opt.step, so a tool that calls,
#   wraps or replaces opt.step changes the warning.
# Source: pytorch/pytorch#44511 and #55585, huggingface/transformers#11106 and #11144, Lightning-AI/pytorch-lightning#21339.
# Options: --impact --inherited
# steps: 10
# skipped: 3
# overflows: 3
# final_scale: 65536
# loss.count: 10
# finding.count: 1
# finding[0].kind: loss_scale_too_large
# finding[0].confirmed: true
# finding[0].remedy: init_scale=32768
import hashlib
import warnings
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(16)
net = nn.Sequential(nn.Linear(10, 16), nn.Tanh(), nn.Linear(16, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.05, total_steps=12)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**19, growth_interval=1000)
rates, losses, called, skipped = [], [], [], []
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for i in range(10):
        x, y = torch.randn(16, 10), torch.randn(16, 2) * 2
        with torch.autocast("cpu", dtype=torch.float16):
            out = net(x)
        loss = (out.float() - y).pow(2).mean()
        opt.zero_grad()
        scale = scaler.get_scale()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        rates.append(opt.param_groups[0]["lr"])
        called.append(getattr(opt, "_opt_called", None))
        scheduler.step()
        if scaler.get_scale() < scale:
            skipped.append(i + 1)
        losses.append(loss.item())
order = sum("lr_scheduler.step" in str(w.message) for w in caught)
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("skipped", skipped, "warnings", len(caught), order, "called", called, "wrapped", getattr(opt.step, "_wrapped_by_lr_sched", None),
      "step", opt.step.__name__, "hooks", len(opt._optimizer_step_pre_hooks), len(opt._optimizer_step_post_hooks),
      "rates", repr(rates[-2:]), "losses", repr(losses[-2:]), "state", state)
