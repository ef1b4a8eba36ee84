// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace amp {

/// Copies of many tensors in another type, side by side in one buffer.
struct FlatCopy {
  at::Tensor buffer;  ///< one-dimensional, entirely readable: gaps between copies are zero
  /// In the buffer's memory, but not views for autograd. They have the originals' sizes and, if dense, strides.
  std::vector<at::Tensor> tensors;
};

/// Returns a buffer for tensors like these, uninitialized. The list is not empty, and all are on one device.
FlatCopy flat_like(at::TensorList originals, at::ScalarType type);

/// Makes flat copies of the originals: one allocation, one copy call. Records no gradients.
FlatCopy flat_copy(at::TensorList originals, at::ScalarType type);

}  // namespace amp
