// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <vector>

namespace amp {

/// Tensors of one device and type, what one kernel for many tensors takes. Holds references, copies nothing.
struct TensorGroup {
  std::vector<std::size_t> indices;  ///< where they stood in the list, rising
  std::vector<at::Tensor> tensors;

  at::Device device() const { return tensors.front().device(); }
  at::ScalarType type() const { return tensors.front().scalar_type(); }
};

/// Sorts tensors by device and type, groups in the order in which their first tensor comes. No group is empty.
std::vector<TensorGroup> group_by_device_and_type(at::TensorList tensors);

/// The elements of a list at these places.
std::vector<at::Tensor> picked(at::TensorList tensors, const std::vector<std::size_t>& indices);

}  // namespace amp
