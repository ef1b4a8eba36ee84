// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace amp {

/// Copies of many tensors in another type, side by side in one buffer.
struct FlatCopy {
  at::Tensor buffer;  ///< one-dimensional; all of it may be read: gaps between the copies hold zeros
  /// In the buffer's memory, but no views to autograd. They have the sizes and, where dense, strides of the originals.
  std::vector<at::Tensor> tensors;
};

/// A buffer for tensors like these, which are on one device and not empty as a list. Its values are not set.
FlatCopy flat_like(at::TensorList originals, at::ScalarType type);

/// Makes flat copies with the originals' values: one allocation, one copy call. Records no gradients.
FlatCopy flat_copy(at::TensorList originals, at::ScalarType type);

}  // namespace amp
