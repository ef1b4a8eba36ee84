# SPDX-License-Identifier: Apache-2.0
"""Averages gradients over ranks."""

import torch
import torch.distributed as dist


class DistributedDataParallel(torch.nn.parallel.DistributedDataParallel):
    """Averages gradients over the ranks of torch.distributed during backward, with PyTorch's own class.

    Construct it after amp.initialize(). `message_size` is the number of elements per bucket. `allreduce_always_fp32`
    sums in FP32. Without `gradient_average` gradients are summed, not averaged. `gradient_predivide_factor`, or
    `gradient_average_split_factor` if it is given, divides gradients before the sum; an average is completed after the
    sum. `delay_allreduce` allows parameters that a pass does not use. `shared_param` raises ValueError. Other options
    have no effect.
    """

    def __init__(self, module, message_size=10000000, delay_allreduce=False, shared_param=None,
                 allreduce_trigger_params=None, retain_allreduce_buffers=False, allreduce_always_fp32=False,
                 num_allreduce_streams=1, allreduce_communicators=None, gradient_average=True,
                 gradient_predivide_factor=1.0, gradient_average_split_factor=None, prof=False):
        if shared_param is not None:
            raise ValueError("shared_param is no longer supported as an option. Leave it out: shared parameters work.")
        super().__init__(module, bucket_cap_mb=max(1, message_size * 4 // 2**20), find_unused_parameters=delay_allreduce)
        before = gradient_average_split_factor or gradient_predivide_factor
        if allreduce_always_fp32 or not gradient_average or before != 1.0:
            after = self.process_group.size() / before if gradient_average else 1.0
            self.register_comm_hook((self.process_group, allreduce_always_fp32, before, after), _sum_gradients)


def _sum_gradients(state, bucket):
    group, in_fp32, before, after = state
    gradients = bucket.buffer()
    summed = (gradients.float() if in_fp32 else gradients).div(before)
    work = dist.all_reduce(summed, group=group, async_op=True)
    return work.get_future().then(lambda _: gradients.copy_(summed.div_(after)))


class Reducer:
    """Averages the gradients of a module, or a list of gradients, over all ranks in reduce().

    The constructor broadcasts a module's parameters from rank 0. Gradients keep their types.
    """

    def __init__(self, module_or_grads_list):
        if isinstance(module_or_grads_list, torch.nn.Module):
            self._parameters = list(module_or_grads_list.parameters())
            self._gradients = None
            for parameter in self._parameters:
                dist.broadcast(parameter.data, 0)
        else:
            self._gradients = list(module_or_grads_list)

    def reduce(self):
        """Averages the gradients in place. All ranks must call it."""
        gradients = self._gradients
        if gradients is None:
            gradients = [parameter.grad for parameter in self._parameters if parameter.grad is not None]
        for gradient in gradients:
            dist.all_reduce(gradient)
            gradient.div_(dist.get_world_size())
