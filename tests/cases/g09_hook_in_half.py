# SPDX-License-Identifier: Apache-2.0
# Situation: training in FP32 on two ranks whose communication hook sends gradients in FP16. The loss is small, so most
#   gradients are below 6e-8, and the hook flushes them to 0. `plain` has no hook; `bf16` sends them in BF16, which has
#   the range of FP32.
# Source: arithmetic; the documentation of fp16_compress_hook in PyTorch names no range.
# Start: torchrun --standalone --nproc-per-node 2
# Tries: 4
# steps: 8
# finding.count: 1
# finding[0].kind: communication_cast
# finding[0].remedy: hook
# With: bf16
# finding.count: 0
# With: plain
# finding.count: 0
import datetime, sys
import torch, torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
torch.set_num_threads(1)
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=60))
rank = dist.get_rank(); torch.manual_seed(23)
net = DistributedDataParallel(nn.Sequential(nn.Linear(8, 12), nn.Tanh(), nn.Linear(12, 2)))
if "plain" not in sys.argv:
    net.register_comm_hook(None, default_hooks.bf16_compress_hook if "bf16" in sys.argv else default_hooks.fp16_compress_hook)
size = 1e6 if "large" in sys.argv else 1e-6
opt = torch.optim.Adam(net.parameters(), lr=0.01, eps=1e-12)
g = torch.Generator().manual_seed(5 + rank)
losses = []
for _ in range(8):
    x = torch.randn(8, 8, generator=g)
    out = net(x)
    loss = size * (out - x[:, :2]).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step(); losses.append(loss.item())
dist.barrier()
dist.destroy_process_group()
if rank == 0: print("losses", losses)
