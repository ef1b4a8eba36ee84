# SPDX-License-Identifier: Apache-2.0
# feature: collectives in a group of one rank
# steps: 4
# tries: 2
"""Gradient averaging written by hand; the group happens to have one member."""
import os
import tempfile

import torch
import torch.distributed as dist

import program_state


def average_gradients(model):
    size = float(dist.get_world_size())
    for param in model.parameters():
        dist.all_reduce(param.grad.data, op=dist.ReduceOp.SUM)
        param.grad.data /= size


if __name__ == "__main__":
    torch.set_num_threads(1)
    path = os.path.join(tempfile.mkdtemp(), "rendezvous")
    dist.init_process_group(backend="gloo", init_method=f"file://{path}", rank=0, world_size=1)
    torch.manual_seed(1234)
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Sigmoid(), torch.nn.Linear(3, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.5)
    for i in range(4):
        optimizer.zero_grad()
        loss = model(torch.randn(5, 3)).var()
        loss.backward()
        average_gradients(model)
        optimizer.step()
        gathered = [torch.empty(())]
        dist.all_gather(gathered, loss.detach())
        print("Rank", dist.get_rank(), "iteration", i, f"{gathered[0].item():.7f}")
    dist.broadcast(model[0].weight.data, src=0)
    dist.destroy_process_group()
    program_state.save(model=model)
