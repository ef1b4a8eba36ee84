# SPDX-License-Identifier: Apache-2.0
# feature: channels_last memory format with a small residual net
# steps: 3
# loss: ^\S+
import torch
import torch.nn as nn

import program_state


class BasicBlock(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.skip = nn.Conv2d(cin, cout, 1, bias=False)
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        out = self.act(self.bn1(self.conv1(x)))
        return self.act(self.bn2(self.conv2(out)) + self.skip(x))


torch.manual_seed(0)
torch.set_num_threads(1)
net = nn.Sequential(BasicBlock(3, 4), nn.MaxPool2d(2), BasicBlock(4, 8), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 5))
net = net.to(memory_format=torch.channels_last)
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=5e-4)
for i in range(3):
    x = torch.randn(4, 3, 8, 8).contiguous(memory_format=torch.channels_last)
    y = torch.randint(5, (4,))
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y, label_smoothing=0.1)
    loss.backward()
    opt.step()
    print(i, f"{loss.item():.5f}", net[0].conv1.weight.is_contiguous(memory_format=torch.channels_last))
program_state.save(net=net)
