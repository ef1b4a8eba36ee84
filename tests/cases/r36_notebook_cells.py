# SPDX-License-Identifier: Apache-2.0
# Situation: a notebook, whose cells are strings compiled under names without files. The cell that defines the
#   model runs twice. The training cell is interrupted between backward and update of its fifth step, then runs again.
#   In the second run, iterations 1 to 4 are skipped. `cached` fills linecache, as IPython does.
# Source: pyutils/line_profiler#86, rkern/line_profiler#23, comet-ml/issue-tracking#1, jupyter/nbconvert#1440.
# Options: --impact --inherited
# steps: 10 or 11
# skipped: 4
# losses: includes printed losses
# event.count: 4
# op[op=linear,module=b].line: <ipython-input-2-0b>:8
# finding.count: 1
# finding[0].kind: loss_scale_too_large
# finding[0].confirmed: true
# finding[0].remedy: init_scale=32768
# With: cached
# finding.count: 1
# finding[0].kind: loss_scale_too_large
# finding[0].confirmed: true
# steps: 10 or 11
# skipped: 4
# op[op=linear,module=b].line: <ipython-input-2-0b>:8
import linecache
import sys

CELLS = {
    "<ipython-input-1-0a>": """
import hashlib, torch
from torch import nn
torch.set_num_threads(1)
losses, skipped = [], []
""",
    "<ipython-input-2-0b>": """
class Net(nn.Module):
    def __init__(self, seed):
        super().__init__()
        torch.manual_seed(seed)
        self.a, self.b = nn.Linear(6, 12), nn.Linear(12, 2)
    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))
""",
    "<ipython-input-3-0c>": """
net = Net(len(losses))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0 ** (8 if not losses else 21))
for i in range(6):
    x = torch.randn(10, 6)
    with torch.autocast("cpu", dtype=torch.float16):
        y = net(x)
    loss = (y.float() - x[:, :2]).abs().sum(1).mean()
    opt.zero_grad()
    before = scaler.get_scale()
    scaler.scale(loss).backward()
    if interrupt == i:
        raise KeyboardInterrupt
    scaler.step(opt)
    scaler.update()
    losses.append(loss.item())
    skipped.append(scaler.get_scale() < before)
""",
    "<ipython-input-4-0d>": """
print("losses", repr(losses), "skipped", [i + 1 for i, s in enumerate(skipped) if s], "state",
      hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16])
""",
}


def run(name, namespace):
    if "cached" in sys.argv:  # IPython fills linecache; a bare exec() does not
        linecache.cache[name] = (len(CELLS[name]), None, CELLS[name].splitlines(True), name)
    try:
        exec(compile(CELLS[name], name, "exec"), namespace)
    except KeyboardInterrupt:
        print("interrupted in", name)


space = {"interrupt": 4, "__name__": "__main__"}
one, two, three, four = CELLS
for name in (one, two, three):
    run(name, space)
space["interrupt"] = None
for name in (two, three, four):
    run(name, space)
