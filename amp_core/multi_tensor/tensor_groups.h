// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <vector>

namespace amp {

/// Tensors of one device and type, for one multi-tensor kernel. Holds references, copies nothing.
struct TensorGroup {
  std::vector<std::size_t> indices;  ///< their indices in the original list, ascending
  std::vector<at::Tensor> tensors;

  at::Device device() const { return tensors.front().device(); }
  at::ScalarType type() const { return tensors.front().scalar_type(); }
};

/// Sorts tensors by device and type. The groups are not empty, and are ordered by their first tensors.
std::vector<TensorGroup> group_by_device_and_type(at::TensorList tensors);

/// Returns the elements of a list at these indices.
std::vector<at::Tensor> picked(at::TensorList tensors, const std::vector<std::size_t>& indices);

}  // namespace amp
