# SPDX-License-Identifier: Apache-2.0
# feature: a parent that only starts the process that trains
# steps: 3
# loss: ^
# The parent imports torch (for mp) but calls no op.
import torch
import torch.multiprocessing as mp
from torch import nn

import program_state


def train(seed):
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    net = nn.Linear(3, 2)
    opt = torch.optim.SGD(net.parameters(), lr=0.2)
    for _ in range(3):
        opt.zero_grad()
        loss = net(torch.ones(1, 3)).logsumexp(1).sum()
        loss.backward()
        opt.step()
        print(f"{loss.item():.6f}", flush=True)
    program_state.save(net=net)


if __name__ == "__main__":
    child = mp.get_context("spawn").Process(target=train, args=(3,))
    child.start()
    child.join()
    print("exit code", child.exitcode)
