# SPDX-License-Identifier: Apache-2.0
# feature: training beside a thread that serves predictions
# steps: 20
# loss: to
import threading

import torch
from torch import nn

import program_state

torch.set_num_threads(1)
torch.manual_seed(2)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
served = nn.Linear(4, 1)
answers = []
requests = torch.randn(42, 2, 4)


def serve():
    with torch.inference_mode():
        for request in requests:
            answers.append(served(request).sum().item())


server = threading.Thread(target=serve)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
data = torch.randn(20, 6, 4)
server.start()
for batch in data:
    opt.zero_grad()
    loss = net(batch).pow(2).mean()
    loss.backward()
    opt.step()
server.join()
print(f"trained to {loss.item():.6f}, served {len(answers)}, sum {sum(answers):.5f}")
program_state.save(net=net, served=served)
