# SPDX-License-Identifier: Apache-2.0
# feature: nn.TransformerEncoderLayer, in training and on its fast path
# steps: 3
import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
layer = nn.TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=16, batch_first=True)
encoder = nn.TransformerEncoder(layer, num_layers=2, enable_nested_tensor=False)
embed = nn.Embedding(12, 8)
head = nn.Linear(8, 12)
head.weight = embed.weight  # tied
everything = nn.ModuleList([embed, encoder, head])
opt = torch.optim.AdamW(everything.parameters(), lr=1e-3)
mask = nn.Transformer.generate_square_subsequent_mask(5)
for _ in range(3):
    tokens = torch.randint(12, (2, 6))
    hidden = encoder(embed(tokens[:, :-1]), mask=mask, is_causal=True)
    loss = nn.functional.cross_entropy(head(hidden).flatten(0, 1), tokens[:, 1:].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"perplexity {loss.exp().item():.4f}")
encoder.eval()
with torch.no_grad():
    print(f"{encoder(embed(torch.arange(5)[None])).std().item():.5f}")
program_state.save(everything=everything)
