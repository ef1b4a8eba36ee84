# SPDX-License-Identifier: Apache-2.0
"""A small ResNet, trained like Apex's ImageNet example: --opt-level, --loss-scale, --sync_bn, ranks of
torch.distributed."""
import argparse
import os

import torch
from apex import amp
from apex.parallel import DistributedDataParallel, convert_syncbn_model

parser = argparse.ArgumentParser()
parser.add_argument("--opt-level", "--opt_level", default="O1")
parser.add_argument("--keep-batchnorm-fp32", default=None)
parser.add_argument("--loss-scale", default=None)
parser.add_argument("--sync_bn", action="store_true")
parser.add_argument("--local_rank", "--local-rank", default=int(os.environ.get("LOCAL_RANK", 0)), type=int)
args = parser.parse_args()
args.distributed = int(os.environ.get("WORLD_SIZE", 1)) > 1


class Block(torch.nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = torch.nn.BatchNorm2d(outputs)
        self.conv2 = torch.nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = torch.nn.BatchNorm2d(outputs)
        self.shortcut = torch.nn.Conv2d(inputs, outputs, 1, stride, bias=False)

    def forward(self, x):
        y = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(y)) + self.shortcut(x))


rank, ranks = 0, 1
if args.distributed:
    torch.distributed.init_process_group("gloo", init_method="env://")
    rank, ranks = torch.distributed.get_rank(), torch.distributed.get_world_size()

torch.manual_seed(0)
model = torch.nn.Sequential(Block(3, 8, 1), Block(8, 16, 2), torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(),
                            torch.nn.Linear(16, 10))
if args.sync_bn:
    model = convert_syncbn_model(model)
optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
model, optimizer = amp.initialize(model, optimizer, opt_level=args.opt_level,
                                  keep_batchnorm_fp32=args.keep_batchnorm_fp32, loss_scale=args.loss_scale)
if args.distributed:
    model = DistributedDataParallel(model)
criterion = torch.nn.CrossEntropyLoss()

generator = torch.Generator().manual_seed(1)
losses = []
for i in range(4):
    images, targets = torch.randn(8, 3, 16, 16, generator=generator), torch.randint(10, (8,), generator=generator)
    mine = slice(rank * 8 // ranks, (rank + 1) * 8 // ranks)
    loss = criterion(model(images[mine]), targets[mine])
    optimizer.zero_grad()
    with amp.scale_loss(loss, optimizer) as scaled_loss:
        scaled_loss.backward()
    optimizer.step()
    mean = loss.detach().clone()
    if args.distributed:
        torch.distributed.all_reduce(mean)
    losses.append(mean.item() / ranks)
if rank == 0:
    print("losses", *losses)
if args.distributed:
    weights = torch.cat([p.detach().float().reshape(-1) for p in amp.master_params(optimizer)])
    others = [torch.empty_like(weights) for _ in range(ranks)]
    torch.distributed.all_gather(others, weights)
    if rank == 0:
        print("ranks agree", all(torch.equal(weights, each) for each in others))
    del model, loss  # they hold the process group, which must be destroyed before Python exits
    torch.distributed.destroy_process_group()
