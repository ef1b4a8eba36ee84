# SPDX-License-Identifier: Apache-2.0
# feature: integers and booleans only
# steps: 0
import torch

import program_state

torch.set_num_threads(1)
torch.manual_seed(30)

# Conway's game of life, then some bit twiddling.
board = (torch.rand(12, 12) > 0.6).to(torch.uint8)
for generation in range(5):
    neighbours = sum(
        torch.roll(board, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)
    )
    board = ((neighbours == 3) | ((board == 1) & (neighbours == 2))).to(torch.uint8)
    print(generation, int(board.sum()))
codes = torch.randint(0, 1 << 30, (16,))
mixed = (codes ^ (codes >> 7)).bitwise_and(0xFFFF).sort().values
hist = torch.bincount(mixed % 5, minlength=5)
print(hist.tolist(), torch.unique(mixed % 3).tolist())
program_state.save(board=board, mixed=mixed)
