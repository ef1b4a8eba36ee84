// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "reports/records/recipe_matmul.h"

namespace ampprof::products {

/// Sums up the rounding losses of an operand's copies. Losses on a device are summed on that device, so that adding
/// does not wait. Not thread-safe.
class OperandRoundingSums {
 public:
  void add(const OperandRounding& part) { on_host_.merge(part); }
  /// Adds the loss due to a cast, from two tensors of one shape on any device.
  void add_cast(const at::Tensor& before, const at::Tensor& after);
  /// Returns device memory to which kernels add: a quantize::cuda::DeviceStatistics.
  void* of_kernels(const c10::Device& device);

  /// Waits for the devices and returns the sum of all losses.
  OperandRounding total() const;

 private:
  at::Tensor& on(std::vector<at::Tensor>& tensors, const c10::Device& device, std::int64_t size, at::ScalarType type);

  OperandRounding on_host_;
  std::vector<at::Tensor> of_kernels_;  ///< bytes, one tensor per device
  std::vector<at::Tensor> of_casts_;    ///< FP64 numbers, one tensor per device
};

}  // namespace ampprof::products
