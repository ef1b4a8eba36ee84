# SPDX-License-Identifier: Apache-2.0
# feature: AsyncCollectiveTensor from functional collectives
# steps: 3
# tries: 2
import tempfile

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as funcol

import program_state

torch.set_num_threads(1)
torch.manual_seed(12)
with tempfile.NamedTemporaryFile() as store:
    dist.init_process_group("gloo", init_method=f"file://{store.name}", rank=0, world_size=1)

    w = torch.nn.Parameter(torch.randn(5))
    opt = torch.optim.SGD([w], lr=0.3)
    for step in range(3):
        opt.zero_grad()
        (w.sin() * torch.arange(5.0)).sum().backward()
        pending = funcol.all_reduce(w.grad, "sum", group=dist.group.WORLD)
        print(step, type(pending).__name__, end=" ")
        w.grad = pending * 0.5  # waits here
        opt.step()
        print(f"{w.detach().norm().item():.6f}")
    dist.destroy_process_group()
program_state.save(w=w)
