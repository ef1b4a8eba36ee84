# SPDX-License-Identifier: Apache-2.0
"""NVIDIA Apex's mixed precision for current versions of PyTorch, on ampprof's engine amp_core."""

from . import _library  # first, because it refuses to hide NVIDIA's Apex if that is installed

from . import amp, fp16_utils, multi_tensor_apply, normalization, optimizers, parallel

__all__ = ["amp", "fp16_utils", "multi_tensor_apply", "normalization", "optimizers", "parallel"]
