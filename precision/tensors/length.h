// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>

#include <optional>

namespace ampprof::tensors {

/// Returns the root of the sum of a tensor's squares: one FP64 element on its device. Values are widened to double
/// before squaring, since squares of tiny numbers would be flushed.
inline at::Tensor length_of(const at::Tensor& tensor) {
  return at::linalg_vector_norm(tensor, 2, std::nullopt, /*keepdim=*/false, at::kDouble);
}

}  // namespace ampprof::tensors
