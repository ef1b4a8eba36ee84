# SPDX-License-Identifier: Apache-2.0
"""Operations on lists of tensors. Scripts get the operations from the module `amp_C`."""


class MultiTensorApply:
    """Calls an operation of `amp_C` with the tensors of all lists. `available` is always true."""

    available = True
    warned = False

    def __init__(self, chunk_size):
        self.chunk_size = chunk_size

    def __call__(self, op, noop_flag_buffer, tensor_lists, *args):
        """Returns what `op` returns. `noop_flag_buffer` holds one int32, set to 1 if a value is not finite."""
        return op(self.chunk_size, noop_flag_buffer, tensor_lists, *args)


multi_tensor_applier = MultiTensorApply(2048 * 32)
