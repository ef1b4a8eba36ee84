# SPDX-License-Identifier: Apache-2.0
# Situation: a trained network whose BatchNorm has a running variance above 65504 is converted by .half() for inference.
#   The buffer becomes inf, and x/sqrt(inf) is 0, so the layer returns its bias for any input. There is no NaN and no
#   warning.
# Source: apple/coreai-torch#54, microsoft/onnxruntime#10079.
# Options: --inherited
# steps: 4
# losses: printed losses
# event[0].op: to
# event[0].line: net.half()
# event[0].outcome: buffer
# op[module=bn,op=batch_norm,phase=inference].inherited: 0.9 to 1.1
# advised: batch_norm
# finding.count: 1
# finding[0].kind: buffer_out_of_range
# finding[0].confirmed: true
# finding[0].line: half()
# finding[0].remedy: Keep bn in FP32
import hashlib
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.bn, self.head = nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4, momentum=0.7), nn.Linear(4, 3)

    def forward(self, x):
        return self.head(self.bn(self.conv(x)).relu().mean((2, 3)))


torch.set_num_threads(1)
torch.manual_seed(28)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.05)
images = torch.rand(16, 1, 8, 8) * 4000
labels = torch.arange(16) % 3
losses = []
for _ in range(4):
    loss = nn.functional.cross_entropy(net(images), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
net.eval()
with torch.inference_mode():
    full, var = net(images), net.bn.running_var.tolist()
    net.half()
    half = net(images.half())
print("losses", repr(losses), "running var", repr(var), "distinct", half.unique(dim=0).shape[0], "of",
      full.unique(dim=0).shape[0], "state", hashlib.sha256(half.contiguous().view(torch.int16).numpy().tobytes()).hexdigest()[:16])
