# SPDX-License-Identifier: Apache-2.0
"""Apex's fused norms. PyTorch's own kernels compute them, with FP32 statistics for every input type."""

import numbers

import torch
import torch.nn.functional as F


def _norm(norm, input, normalized_shape, weight, bias, eps, takes_type_of_weight):
    """Returns a norm computed in the wider type of input and weight."""
    dtype = input.dtype if weight is None else torch.promote_types(input.dtype, weight.dtype)
    affine = [tensor if tensor is None else tensor.to(dtype) for tensor in (weight, bias)]
    output = norm(input.to(dtype), normalized_shape, *affine, eps)
    return output.to(weight.dtype if takes_type_of_weight and weight is not None else input.dtype)


def _rms_norm(input, normalized_shape, weight, _bias, eps):
    return F.rms_norm(input, normalized_shape, weight, eps)


def fused_layer_norm(input, normalized_shape, eps=1e-5, memory_efficient=False):
    """Returns the layer norm over the trailing dimensions, in the type of the input."""
    return _norm(F.layer_norm, input, normalized_shape, None, None, eps, False)


def fused_layer_norm_affine(input, weight, bias, normalized_shape, eps=1e-5, memory_efficient=False):
    """Returns the layer norm times weight plus bias, in the type of the input."""
    return _norm(F.layer_norm, input, normalized_shape, weight, bias, eps, False)


def mixed_dtype_fused_layer_norm_affine(input, weight, bias, normalized_shape, eps=1e-5, memory_efficient=False):
    """Returns the layer norm times weight plus bias, in the type of the weight."""
    return _norm(F.layer_norm, input, normalized_shape, weight, bias, eps, True)


def fused_rms_norm(input, normalized_shape, eps=1e-5, memory_efficient=False):
    """Returns the RMS norm over the trailing dimensions, in the type of the input."""
    return _norm(_rms_norm, input, normalized_shape, None, None, eps, False)


def fused_rms_norm_affine(input, weight, normalized_shape, eps=1e-5, memory_efficient=False):
    """Returns the RMS norm times weight, in the type of the input."""
    return _norm(_rms_norm, input, normalized_shape, weight, None, eps, False)


def mixed_dtype_fused_rms_norm_affine(input, weight, normalized_shape, eps=1e-5, memory_efficient=False):
    """Returns the RMS norm times weight, in the type of the weight."""
    return _norm(_rms_norm, input, normalized_shape, weight, None, eps, True)


class FusedLayerNorm(torch.nn.LayerNorm):
    """Layer norm over the trailing dimensions; the output has the input's type. `memory_efficient` has no effect."""

    _takes_type_of_weight = False

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, memory_efficient=False):
        super().__init__(normalized_shape, eps=eps, elementwise_affine=elementwise_affine)

    def forward(self, input):
        """Returns the norm of an input of shape `(..., *normalized_shape)`."""
        return _norm(F.layer_norm, input, self.normalized_shape, self.weight, self.bias, self.eps,
                     self._takes_type_of_weight)


class MixedFusedLayerNorm(FusedLayerNorm):
    """FusedLayerNorm whose output has the weight's type."""

    _takes_type_of_weight = True


class FusedRMSNorm(torch.nn.Module):
    """RMS norm: `x / sqrt(mean(x²) + eps) * weight` over the trailing dimensions; the output has the input's type."""

    _takes_type_of_weight = False

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, memory_efficient=False):
        super().__init__()
        is_number = isinstance(normalized_shape, numbers.Integral)
        self.normalized_shape = (normalized_shape,) if is_number else tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        weight = torch.nn.Parameter(torch.ones(self.normalized_shape)) if elementwise_affine else None
        self.register_parameter("weight", weight)

    def forward(self, input):
        """Returns the norm of an input of shape `(..., *normalized_shape)`."""
        return _norm(_rms_norm, input, self.normalized_shape, self.weight, None, self.eps, self._takes_type_of_weight)

    def extra_repr(self):
        """Returns the settings for repr()."""
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class MixedFusedRMSNorm(FusedRMSNorm):
    """FusedRMSNorm whose output has the weight's type."""

    _takes_type_of_weight = True
