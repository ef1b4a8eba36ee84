# SPDX-License-Identifier: Apache-2.0
# feature: DTensor on a mesh of one rank
# steps: 3
# tries: 2
import os
import tempfile

import torch
import torch.distributed as dist
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor, init_device_mesh

import program_state

torch.set_num_threads(1)
torch.manual_seed(0)
store = os.path.join(tempfile.mkdtemp(), "store")
dist.init_process_group("gloo", init_method=f"file://{store}", rank=0, world_size=1)
mesh = init_device_mesh("cpu", (1,))

w = torch.nn.Parameter(distribute_tensor(torch.randn(6, 6), mesh, [Shard(0)]))
x = distribute_tensor(torch.randn(4, 6), mesh, [Replicate()])
optimizer = torch.optim.SGD([w], lr=0.5)
for _ in range(3):
    optimizer.zero_grad()
    loss = (x @ w).tanh().pow(2).mean()
    loss.backward()
    optimizer.step()
    print(type(loss) is DTensor, f"{loss.full_tensor().item():.6f}")
dist.destroy_process_group()
program_state.save(w=w.to_local())
