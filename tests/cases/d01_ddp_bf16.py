# SPDX-License-Identifier: Apache-2.0
# Situation: ordinary DistributedDataParallel training on two ranks with different data, with a forward in BF16 under
#   autocast. The optimizer sees the mean of both ranks' gradients. The distance between this mean and the rank's own
#   gradients is not an error due to BF16.
# Source: ordinary practice; no report.
# Start: torchrun --standalone --nproc-per-node 2
# Tries: 4
# Options: --impact --inherited
# steps: 6
# skipped: 0
# overflows: 0
# losses: printed losses
# gradient.error: absent or at most 0.02
# finding.count: 0
import datetime, torch, torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
torch.set_num_threads(1)
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=60))
rank = dist.get_rank(); torch.manual_seed(23)
net = DistributedDataParallel(nn.Sequential(nn.Linear(8, 12), nn.Tanh(), nn.Linear(12, 2)))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
g = torch.Generator().manual_seed(5 + rank)
losses = []
for _ in range(6):
    x = torch.randn(8, 8, generator=g)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = net(x)
    loss = (out.float() - x[:, :2]).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step(); losses.append(loss.item())
dist.barrier()
dist.destroy_process_group()
if rank == 0: print("losses", losses)
