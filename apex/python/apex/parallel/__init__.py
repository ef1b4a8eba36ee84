# SPDX-License-Identifier: Apache-2.0
"""Apex's package `parallel`: data parallel training over torch.distributed, batch norm over ranks, LARC."""

import torch
import torch.distributed as dist

from .LARC import LARC
from .distributed import DistributedDataParallel, Reducer
from .sync_batchnorm import SyncBatchNorm

__all__ = ["DistributedDataParallel", "LARC", "Reducer", "SyncBatchNorm", "convert_syncbn_model",
           "create_syncbn_process_group"]

_BATCH_NORM = torch.nn.modules.batchnorm._BatchNorm


def convert_syncbn_model(module, process_group=None, channel_last=False):
    """Returns the module with its batch norm layers replaced by SyncBatchNorm, which shares their tensors.

    Instance norm layers stay. `channel_last` has no effect: memory layouts are kept.
    """
    converted = module
    if isinstance(module, _BATCH_NORM) and not isinstance(module, torch.nn.modules.instancenorm._InstanceNorm):
        converted = SyncBatchNorm(module.num_features, module.eps, module.momentum, module.affine,
                                  module.track_running_stats, process_group, channel_last)
        for name, tensor in (*module._parameters.items(), *module._buffers.items()):
            setattr(converted, name, tensor)
        converted.train(module.training)
    for name, child in module.named_children():
        converted.add_module(name, convert_syncbn_model(child, process_group, channel_last))
    return converted


def create_syncbn_process_group(group_size):
    """Returns this rank's group of `group_size` consecutive ranks; None (all ranks) if the size is 0 or the rank count.

    All ranks must call it. Raises ValueError if the ranks cannot be divided into such groups.
    """
    world_size = dist.get_world_size()
    if group_size in (0, world_size):
        return None
    if group_size < 0 or group_size > world_size or world_size % group_size != 0:
        raise ValueError(f"{world_size} ranks cannot be divided into groups of {group_size}.")
    own = None
    for first in range(0, world_size, group_size):
        ranks = list(range(first, first + group_size))
        group = dist.new_group(ranks)
        if dist.get_rank() in ranks:
            own = group
    return own
