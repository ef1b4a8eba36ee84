# SPDX-License-Identifier: Apache-2.0
# Situation: a frozen trunk in BF16, with or without torch.no_grad(), then two trainable FP32 layers, as with an adapter
#   or a head. The rounding of the trunk's output changes the loss by 5.38e-5 per step, to first order. With --check the
#   program prints the exact change in each step. The data was rounded before the training, which is not an error: the
#   program trains on rounded data.
# Source: ordinary practice; no report.
# Options: --impact --inherited
# steps: 4
# impact[source=input].change: 5.3e-05 to 5.7e-05
# advised: []
# finding.count: 0
# With: 1e-2 AdamW no_grad
# finding.count: 0
# impact[source=input].change: 5.3e-05 to 5.7e-05
import copy, sys, torch
from torch import nn
torch.set_num_threads(1); torch.manual_seed(0)
lr = float(sys.argv[1]) if len(sys.argv) > 1 else 1e-2


class Net(nn.Module):
    def __init__(self):
        super().__init__(); self.trunk = nn.Linear(32, 64).to(torch.bfloat16).requires_grad_(False); self.fc1 = nn.Linear(64, 32); self.fc2 = nn.Linear(32, 5)

    def forward(self, x):
        with torch.set_grad_enabled('no_grad' not in sys.argv): h = self.trunk(x.bfloat16())
        return self.fc2(torch.tanh(self.fc1(h.float())))


net = Net(); opt = getattr(torch.optim, sys.argv[2] if len(sys.argv) > 2 else 'AdamW')([p for p in net.parameters() if p.requires_grad], lr=lr)
x = torch.randn(16, 32).bfloat16().float(); y = torch.randint(0, 5, (16,))
for step in range(4):
    loss = nn.functional.cross_entropy(net(x), y)
    exact = copy.deepcopy(net).float(); h = exact.trunk(x).requires_grad_(); g, = torch.autograd.grad(nn.functional.cross_entropy(exact.fc2(torch.tanh(exact.fc1(h))), y), h)
    if '--check' in sys.argv: print('exact', (g * (net.trunk(x.bfloat16()).float() - h)).sum().item())
    opt.zero_grad(); loss.backward(); opt.step(); print(f'step {step} loss {loss.item():.6f}')
