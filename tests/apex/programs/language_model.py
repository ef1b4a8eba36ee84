# SPDX-License-Identifier: Apache-2.0
"""A word-level language model with an LSTM whose hidden state is carried over. Gradients are clipped."""
import argparse

import torch
from apex import amp

parser = argparse.ArgumentParser()
parser.add_argument("--opt_level", default="O1")
args = parser.parse_args()

torch.manual_seed(0)
words, length, batch = 50, 8, 4


class WordModel(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = torch.nn.Embedding(words, 24)
        self.rnn = torch.nn.LSTM(24, 24, 2)
        self.decoder = torch.nn.Linear(24, words)

    def forward(self, tokens, hidden):
        output, hidden = self.rnn(self.encoder(tokens), hidden)
        return self.decoder(output), hidden


model = WordModel()
optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
model, optimizer = amp.initialize(model, optimizer, opt_level=args.opt_level)
criterion = torch.nn.CrossEntropyLoss()
hidden = (torch.zeros(2, batch, 24), torch.zeros(2, batch, 24))
losses = []
for i in range(6):
    tokens = torch.randint(words, (length + 1, batch))
    hidden = tuple(each.detach() for each in hidden)
    output, hidden = model(tokens[:-1], hidden)
    loss = criterion(output.view(-1, words).float(), tokens[1:].view(-1))
    optimizer.zero_grad()
    with amp.scale_loss(loss, optimizer) as scaled_loss:
        scaled_loss.backward()
    torch.nn.utils.clip_grad_norm_(amp.master_params(optimizer), 0.25)
    optimizer.step()
    losses.append(loss.item())
