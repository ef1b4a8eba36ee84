# SPDX-License-Identifier: Apache-2.0
"""Batch norm with statistics over the batches of all ranks."""

import torch
import torch.distributed as dist

from .._library import functions


class SyncBatchNorm(torch.nn.modules.batchnorm._BatchNorm):
    """Batch norm of an input (N, C, ...), with statistics over the inputs of all ranks of a process group.

    Batches may differ in size. Runs on CPUs (Gloo) and GPUs. In evaluation, and on a single rank, it is ordinary batch
    norm. `fuse_relu` applies a ReLU to the result. `channel_last` has no effect: memory layouts are kept.
    """

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, process_group=None,
                 channel_last=False, fuse_relu=False):
        super().__init__(num_features, eps=eps, momentum=momentum, affine=affine,
                         track_running_stats=track_running_stats)
        self.process_group = process_group
        self.channel_last = channel_last
        self.fuse_relu = fuse_relu

    def _check_input_dim(self, input):
        if input.dim() < 2 or input.size(1) != self.num_features:
            raise ValueError(f"SyncBatchNorm of {self.num_features} features got an input of shape {tuple(input.shape)}. "
                             "It takes (N, C, ...), where C is the number of features.")

    def _group(self):
        """Returns the process group that shares statistics; None if they are not shared."""
        if not self.training or not dist.is_available() or not dist.is_initialized():
            return None
        group = self.process_group or dist.group.WORLD
        return group if dist.get_world_size(group) > 1 else None

    def forward(self, input, z=None):
        """Returns the norm, plus `z` if it is given, in the type of the input."""
        group = self._group()
        if group is None:
            output = super().forward(input)
            output = output if z is None else output + z
            return output.relu() if self.fuse_relu else output
        self._check_input_dim(input)
        momentum = self.momentum
        if self.track_running_stats:
            self.num_batches_tracked.add_(1)
            momentum = 1.0 / float(self.num_batches_tracked) if momentum is None else momentum
        tensors = [self.weight, self.bias, self.running_mean, self.running_var]
        return functions.batch_norm(input, z, tensors, momentum or 0.0, self.eps, self.fuse_relu, group.boxed())
