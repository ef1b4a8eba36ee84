# SPDX-License-Identifier: Apache-2.0
# feature: FSDP2 fully_shard, two ranks started by torchrun
# steps: 3
# tries: 2
# command: {python} -m torch.distributed.run --standalone --nproc-per-node 2 {program}
# torchrun --standalone --nproc-per-node 2 fsdp2_two_ranks.py
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

import program_state


def main():
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    fully_shard(model[0], mesh=mesh)
    fully_shard(model[2], mesh=mesh)
    fully_shard(model, mesh=mesh)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
    generator = torch.Generator().manual_seed(rank)
    for step in range(3):
        x = torch.randn(6, 8, generator=generator)
        loss = model(x).square().mean()
        loss.backward()
        opt.step()
        opt.zero_grad()
        total = loss.detach().clone()
        dist.all_reduce(total)
        if rank == 0:
            print(f"step {step} loss {total.item() / 2:.6f}", flush=True)
    program_state.save(f"rank{rank}", **{n: p.to_local() for n, p in model.named_parameters()})
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
