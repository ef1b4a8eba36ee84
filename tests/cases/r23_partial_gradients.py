# SPDX-License-Identifier: Apache-2.0
# Situation: two optimizers share a GradScaler. The net `proposal` has gradients only in every third iteration, and its
#   optimizer steps only then. In steps 1 to 4, the net `field` overflows and is not updated, while `proposal` is
#   updated in steps 1 and 4.
# Source: nerfstudio-project/nerfstudio#1919, SheldonTsui/GOF_NeurIPS2021#2, ecmwf/WeatherGenerator#356.
# Options: --impact --inherited
# steps: 12
# skipped: 4
# overflows: 4
# final_scale: 8192
# loss.count: 12
# event[step=1].op: to
# event[step=1].line: loss = (color.float() - x[:, :3] * 4)
# event[step=2].op: field.2/mm
# event[step=2].line: color = net["field"](x)
# event[step=2].parameters: field.2.weight
# finding.count: 1
# finding[0].kind: loss_scale_too_large
# finding[0].confirmed: true
# finding[0].remedy: init_scale=8192
import hashlib
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(22)
net = nn.ModuleDict({"proposal": nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1)),
                     "field": nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 3))})
opts = {k: torch.optim.Adam(net[k].parameters(), lr=1e-2, eps=1e-15) for k in net}
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**17, growth_interval=1000)
losses, skipped, none = [], [], []
for i in range(12):
    x = torch.randn(32, 6)
    with torch.autocast("cpu", dtype=torch.float16):
        color = net["field"](x)
        weight = net["proposal"](x)
    loss = (color.float() - x[:, :3] * 4).pow(2).mean() * 4
    if i % 3 == 0:
        loss = loss + (weight.float().sigmoid() - 0.3).pow(2).mean() * 0.01
    scale = scaler.get_scale()
    scaler.scale(loss).backward()
    for k, opt in opts.items():
        if any(p.grad is not None for g in opt.param_groups for p in g["params"]):
            scaler.step(opt)
    scaler.update()
    none.append(all(p.grad is None for p in net["proposal"].parameters()))
    for opt in opts.values():
        opt.zero_grad(set_to_none=True)
    if scaler.get_scale() < scale:
        skipped.append(i + 1)
    losses.append(loss.item())
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("skipped", skipped, "without gradients", sum(none), "updates", [int(next(iter(o.state.values()))["step"]) for o in opts.values()],
      "losses", repr(losses[-3:]), "state", state)
