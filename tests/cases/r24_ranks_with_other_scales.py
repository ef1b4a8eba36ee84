# SPDX-License-Identifier: Apache-2.0
# Situation: the GradScalers of two DDP ranks have different scales, because rank 1 restored a stale one. DDP averages
#   scaled gradients, and each rank divides by its own scale, so the replicas diverge without any message.
# Source: pytorch/pytorch#136009, NVIDIA-NeMo/Megatron-Bridge#5591.
# Start: torchrun --standalone --nproc-per-node 2
# Tries: 4
# Options: --check-ranks 1
# steps: 6
# overflows: 0
# losses: printed losses
# rank[rank=1].diverges_in: loss_scale
# rank[rank=1].diverges_in_step: 1
# rank[rank=1].diverging_value: 4096
# rank[rank=1].others_value: 1024
# finding.count: 1
# finding[0].kind: ranks_with_other_scales
# finding[0].remedy: load_state_dict
import datetime
import hashlib
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

torch.set_num_threads(1)
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=60))
rank = dist.get_rank()
torch.manual_seed(23)
net = DistributedDataParallel(nn.Sequential(nn.Linear(8, 12), nn.Tanh(), nn.Linear(12, 2)))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=1000)
if rank == 1:
    scaler.load_state_dict({"scale": 4096.0, "growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 1000, "_growth_tracker": 0})
g = torch.Generator().manual_seed(5)
losses = []
for _ in range(6):
    x = torch.randn(8, 8, generator=g)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = net(x)
    loss = (out.float() - x[:, :2]).pow(2).mean()
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    losses.append(loss.item())
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
lines = [None, None]
dist.all_gather_object(lines, f"rank {rank} scale {scaler.get_scale()} losses {losses!r} state {state}")
if rank == 0:
    print("\n".join(lines))
dist.destroy_process_group()
