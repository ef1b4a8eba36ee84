# SPDX-License-Identifier: Apache-2.0
# feature: nn.LSTM with packed sequences
# steps: 3
# loss: ^
import torch
from torch import nn
from torch.nn.utils.rnn import pack_sequence, pad_packed_sequence

import program_state


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(4, 6, num_layers=2, dropout=0.3, bidirectional=True)
        self.fc = nn.Linear(12, 2)

    def forward(self, packed):
        output, _ = self.rnn(packed)
        padded, lengths = pad_packed_sequence(output, batch_first=True)
        return self.fc(padded[torch.arange(len(lengths)), lengths - 1])


torch.set_num_threads(1)
torch.manual_seed(0)
model = Model()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    sequences = [torch.randn(n, 4) for n in (5, 3, 2)]
    loss = nn.functional.cross_entropy(model(pack_sequence(sequences)), torch.tensor([0, 1, 0]))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}")
program_state.save(model=model)
