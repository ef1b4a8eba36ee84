# SPDX-License-Identifier: Apache-2.0
# feature: torch.compile with dynamic shapes: sentences of different lengths
# steps: 5
# loss: ^\S+
# missing: compile
import torch
from torch import nn

import program_state

torch.manual_seed(1)
torch.set_num_threads(1)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 12)
        self.out = nn.Linear(12, 5)

    def forward(self, tokens):
        e = self.embed(tokens)
        return self.out(e + e.mean(dim=1, keepdim=True))


tagger = Tagger()
model = torch.compile(tagger, backend="aot_eager", dynamic=True)
optimizer = torch.optim.Adagrad(tagger.parameters(), lr=0.1)

for length in (7, 11, 4, 9, 13):
    tokens = torch.randint(50, (3, length))
    logits = model(tokens)
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), (tokens % 5).flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(length, f"{loss.item():.5f}")

program_state.save(tagger=tagger)
