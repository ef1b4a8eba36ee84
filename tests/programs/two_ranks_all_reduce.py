# SPDX-License-Identifier: Apache-2.0
# feature: an all-reduce on two ranks; one of them is recorded
# steps: 3
# tries: 2
# missing: processes that trained
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

import program_state


def worker(rank, file):
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{file}", rank=rank, world_size=2)
    torch.manual_seed(rank)
    w = torch.zeros(4, requires_grad=True)
    opt = torch.optim.SGD([w], lr=0.5)
    for _ in range(3):
        opt.zero_grad()
        loss = (w - torch.randn(4)).square().sum()
        loss.backward()
        dist.all_reduce(w.grad)
        opt.step()
    if rank == 0:
        print([round(v, 5) for v in w.tolist()], flush=True)
    program_state.save(str(rank), w=w)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.start_processes(worker, args=(os.path.join(tempfile.mkdtemp(), "f"),), nprocs=2, start_method="spawn")
