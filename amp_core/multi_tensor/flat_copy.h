// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace amp {

/// Copies of many tensors in another type, side by side in one buffer.
struct FlatCopy {
  at::Tensor buffer;  ///< one-dimensional; gaps between copies are zero, so all of it is readable
  /// Copies in the buffer's memory, but not views for autograd. They have the sizes of the originals and, if the
  /// originals are dense, their strides.
  std::vector<at::Tensor> tensors;
};

/// Returns an uninitialized buffer for tensors like these. The list must not be empty, and all tensors are on one
/// device.
FlatCopy flat_like(at::TensorList originals, at::ScalarType type);

/// Makes flat copies of the originals: one allocation, one copy call. Records no gradients.
FlatCopy flat_copy(at::TensorList originals, at::ScalarType type);

}  // namespace amp
