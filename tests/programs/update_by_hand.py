# SPDX-License-Identifier: Apache-2.0
# feature: p.data.add_: gradient descent without an optimizer
# steps: 4
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(1)
rnn = nn.RNNCell(3, 6)
out = nn.Linear(6, 3)
learning_rate = 0.05


def train(line):
    hidden = torch.zeros(1, 6)
    rnn.zero_grad()
    out.zero_grad()
    loss = torch.zeros(())
    for x, y in zip(line, line[1:]):
        hidden = rnn(x[None], hidden)
        loss = loss + nn.functional.l1_loss(out(hidden)[0], y)
    loss.backward()
    for p in [*rnn.parameters(), *out.parameters()]:
        p.data.add_(p.grad.data, alpha=-learning_rate)
    return loss.item() / len(line)


for epoch in range(4):
    print(epoch, f"{train(torch.randn(5, 3)):.6f}")
program_state.save(rnn=rnn, out=out)
