# SPDX-License-Identifier: Apache-2.0
# feature: torch.compile(fullgraph=True): a graph break is an error
# steps: 3
# loss: loss
# missing: compile
import torch
import torch._dynamo
from torch import nn

import program_state


def main():
    torch.set_num_threads(1)
    torch.manual_seed(123)
    mlp = nn.Sequential(nn.Linear(6, 12), nn.SiLU(), nn.Linear(12, 12), nn.SiLU(), nn.Linear(12, 3))
    whole = torch.compile(mlp, backend="aot_eager", fullgraph=True)
    optimizer = torch.optim.RMSprop(mlp.parameters(), lr=1e-3)
    x = torch.randn(20, 6)
    for _ in range(3):
        optimizer.zero_grad()
        loss = (whole(x) - x[:, :3]).abs().mean()
        loss.backward()
        optimizer.step()
    print(f"final loss {loss.item():.7f}")
    breaks = sum(torch._dynamo.utils.counters["graph_break"].values())
    print("graph breaks:", breaks)
    program_state.save(mlp=mlp)


main()
