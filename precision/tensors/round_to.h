// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/formats/types/number_format.h"

namespace at {
class Tensor;
}

namespace ampprof::tensors {

/// Rounds to `type` and converts back. Returns a new tensor of the same type, shape and stride order.
///
/// Rounds to nearest, ties to even. Too large values become inf (NaN in E4M3), as in LibTorch's casts. FP64 is rounded
/// once, while LibTorch's casts round to FP32 first. Returns tensors that are neither FP32 nor FP64 unchanged.
at::Tensor round_to(const at::Tensor& tensor, error::WhatIfType type);

}  // namespace ampprof::tensors
