// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/formats/types/number_format.h"

namespace at {
class Tensor;
}

namespace ampprof::tensors {

/// Returns what a cast to `type` and back gives: a new tensor of the same type, shape and order of strides.
///
/// To nearest, ties to even. Too large values become inf, in E4M3 NaN, as LibTorch's casts have it. FP64 is rounded
/// once, where LibTorch's casts go through FP32. Tensors that are neither FP32 nor FP64 are returned as they are.
at::Tensor round_to(const at::Tensor& tensor, error::WhatIfType type);

}  // namespace ampprof::tensors
