# SPDX-License-Identifier: Apache-2.0
# feature: DistributedDataParallel over gloo, two ranks by mp.spawn
# steps: 4
# tries: 2
# missing: processes that trained
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

import program_state


def train(rank, world_size, init_file):
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method="file://" + init_file, rank=rank, world_size=world_size)
    torch.manual_seed(0)
    dataset = TensorDataset(torch.randn(32, 6), torch.randint(3, (32,)))
    sampler = DistributedSampler(dataset, shuffle=True, seed=1)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(1):
        sampler.set_epoch(epoch)
        for i, (x, y) in enumerate(loader):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            if rank == 0:
                print(f"epoch {epoch} batch {i} loss {loss.item():.5f}", flush=True)
    program_state.save(f"rank{rank}", model=model.module)
    dist.barrier()
    dist.destroy_process_group()


def main():
    world_size = 2
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(train, args=(world_size, os.path.join(folder, "init")), nprocs=world_size, join=True)


if __name__ == "__main__":
    main()
