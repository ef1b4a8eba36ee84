# SPDX-License-Identifier: Apache-2.0
"""The operations of Apex's extension `amp_C` that scripts call through `multi_tensor_applier`.

`tensor_lists` is a list of equally long lists of tensors. `noop_flag` holds one int32 element; it becomes 1 if a value is
not finite. `chunk_size` has no effect. Operations compute in FP32 (FP64 for FP64 tensors) and round once.
"""

import torch

from apex._library import functions


def _raise_flag(noop_flag, found):
    noop_flag.logical_or_(found.to(noop_flag.device).ne(0))


def multi_tensor_scale(chunk_size, noop_flag, tensor_lists, factor):
    """Writes lists[0] * factor to lists[1]; raises the flag if an input is not finite."""
    found = torch.zeros(1, device=noop_flag.device)
    functions.scale(tensor_lists[0], tensor_lists[1], float(factor), found)
    _raise_flag(noop_flag, found)


def multi_tensor_axpby(chunk_size, noop_flag, tensor_lists, a, b, arg_to_check=-1):
    """Writes a * lists[0] + b * lists[1] to lists[2]; checks both, or if arg_to_check is 0 or 1, only that input."""
    found = torch.zeros(1, device=noop_flag.device)
    functions.axpby(float(a), tensor_lists[0], float(b), tensor_lists[1], tensor_lists[2], found, arg_to_check)
    _raise_flag(noop_flag, found)


def multi_tensor_l2norm(chunk_size, noop_flag, tensor_lists, per_tensor=False):
    """Returns the Euclidean norm of all elements of lists[0], shape (1), and of each tensor (None unless `per_tensor`)."""
    total, of_each = functions.l2norm(tensor_lists[0])
    return total.reshape(1), of_each if per_tensor else None
