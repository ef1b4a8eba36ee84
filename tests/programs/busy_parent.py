# SPDX-License-Identifier: Apache-2.0
# feature: training in a spawned process while the parent process computes too
# steps: 3
import torch
import torch.multiprocessing as mp

import program_state


def train(weights, data):
    torch.set_num_threads(1)
    w = weights.clone().requires_grad_()
    opt = torch.optim.SGD([w], lr=0.1)
    for x in data:
        opt.zero_grad()
        (x @ w).pow(2).mean().backward()
        opt.step()
    with torch.no_grad():
        weights.copy_(w)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(6)
    weights = torch.randn(4).share_memory_()
    process = mp.get_context("spawn").Process(target=train, args=(weights, torch.randn(3, 8, 4)))
    process.start()
    process.join()
    print("child", process.exitcode, [f"{v:.5f}" for v in weights.tolist()])
    program_state.save(weights=weights)
