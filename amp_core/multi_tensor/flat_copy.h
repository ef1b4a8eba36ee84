// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace amp {

/// Copies of many tensors in another type, side by side in one buffer.
struct FlatCopy {
  at::Tensor buffer;  ///< one-dimensional; gaps between copies are zero, so kernels may read them
  /// The copies. They use the buffer's memory, but autograd does not treat them as views. They have the sizes of the
  /// originals and, if the originals are dense, their strides.
  std::vector<at::Tensor> tensors;
};

/// Returns a flat copy with uninitialized values, for tensors with the sizes and strides of `originals`. The list must
/// not be empty, and all tensors must be on one device.
FlatCopy flat_like(at::TensorList originals, at::ScalarType type);

/// Makes flat copies of the originals: one allocation, one copy call. Records no gradients.
FlatCopy flat_copy(at::TensorList originals, at::ScalarType type);

}  // namespace amp
