# SPDX-License-Identifier: Apache-2.0
# feature: a new optimizer in every step
# steps: 6
# loss: loss
import torch

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
net = torch.nn.Linear(5, 5)
for i in range(6):
    # "warm restarts", the crude way
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1 / (i + 1))
    optimizer.zero_grad()
    loss = torch.linalg.vector_norm(net(torch.eye(5)) - torch.eye(5))
    loss.backward()
    optimizer.step()
    print(f"lr {0.1 / (i + 1):.3f} loss {loss.item():.6f}")
program_state.save(net=net)
