# SPDX-License-Identifier: Apache-2.0
# Situation: training in BF16 autocast is right, but the log sums the losses in BF16: from 128 on, adding 0.4 has no
#   effect. The largest inherited error in the run reaches no gradient.
# Source: pytorch/xla#2425, datamol-io/graphium#406.
# Options: --impact --inherited
# steps: 400
# overflows: 0
# loss.count: 400
# loss[step=400].value: printed final
# drift[line~running.add_(loss.detach().bfloat16())].class: biased
# impact[op=add_.Tensor].size: absent or 0
# advised: []
# finding.count: 1
# finding[0].kind: lost_sum
# finding[0].line: running.add_
# finding[0].remedy: Keep the sum in FP32
import hashlib
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(31)
net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 4))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
running, exact = torch.zeros((), dtype=torch.bfloat16), 0.0
for _ in range(400):
    x, y = torch.randn(8, 6), torch.randn(8, 4) * 0.62
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = net(x)
    loss = nn.functional.mse_loss(out.float(), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    running.add_(loss.detach().bfloat16())
    exact += loss.item()
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("running", running.item(), "exact", repr(exact), "final", repr(loss.item()), "state", state)
