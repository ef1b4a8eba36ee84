# SPDX-License-Identifier: Apache-2.0
# Situation: FP32 adapters in a frozen BF16 net: LoRA, whose initial weights were made in BF16; DoRA, whose magnitudes
#   are the lengths of frozen weights. The optimizer updates them in place. With --check the program prints the distance
#   between each step's loss and the loss of the same weights in FP64. The facts state the root mean square of these
#   distances.
# Source: ordinary practice; no report.
# Options: --impact --inherited
# steps: 6
# impact[source=sum].loss_impact_rms: 5.95e-05 to 6.3e-05
# finding.count: 0
# With: dora
# finding.count: 0
# impact[source=sum].loss_impact_rms: 4.45e-05 to 4.73e-05
import copy, sys, torch
from torch import nn
torch.set_num_threads(1); torch.manual_seed(0)


class Adapter(nn.Module):
    def __init__(self, layer, is_dora):
        super().__init__(); self.layer = layer; outputs, inputs = layer.weight.shape
        self.lora_A = nn.Linear(inputs, 4, bias=False); self.lora_B = nn.Linear(4, outputs, bias=False)
        self.magnitude = nn.Parameter(layer.weight.detach().float().norm(dim=1)) if is_dora else None

    def forward(self, x):
        y = self.layer(x); wide = self.lora_A.weight.dtype; added = self.lora_B(self.lora_A(x.to(wide)))
        if self.magnitude is None: return y + added.to(y.dtype)
        length = (self.layer.weight.to(wide) + self.lora_B.weight @ self.lora_A.weight).norm(dim=1).detach()
        return (y + added.to(y.dtype)) * (self.magnitude / length).to(y.dtype)


def widen(net):
    for p in net.parameters():
        if p.requires_grad: p.data = p.data.float()


is_dora = 'dora' in sys.argv
layers = [nn.Linear(32, 64), nn.Linear(64, 64), nn.Linear(64, 5)]
for layer in layers: layer.to(torch.bfloat16).requires_grad_(False)
net = nn.Sequential(Adapter(layers[0], is_dora), nn.GELU(), Adapter(layers[1], is_dora), nn.GELU(), layers[2])
if not is_dora: net.bfloat16(); widen(net)
opt = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad], lr=1e-2)
for step in range(6):
    x = torch.randn(64, 32); y = torch.randint(0, 5, (64,))
    loss = nn.functional.cross_entropy(net(x.to(torch.bfloat16)).float(), y)
    if '--check' in sys.argv:
        with torch.no_grad(): print('exact', loss.item() - nn.functional.cross_entropy(copy.deepcopy(net).double()(x.double()), y).item())
    opt.zero_grad(); loss.backward(); opt.step(); print(f'step {step} loss {loss.item():.6f}')
