// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "reports/records/recipe_matmul.h"

namespace ampprof::products {

/// Sums up what the copies of an operand lose. What is lost on a device is summed there, so that adding waits for
/// nothing. Of one thread.
class OperandLosses {
 public:
  void add(const OperandLoss& part) { on_host_.merge(part); }
  /// Adds what a cast loses, of two tensors of one shape. Works on every device.
  void add_cast(const at::Tensor& before, const at::Tensor& after);
  /// Returns the memory of a device that its kernels add to: a quantize::cuda::DeviceStatistics.
  void* of_kernels(const c10::Device& device);

  /// Waits for the devices.
  OperandLoss total() const;

 private:
  at::Tensor& on(std::vector<at::Tensor>& tensors, const c10::Device& device, std::int64_t size, at::ScalarType type);

  OperandLoss on_host_;
  std::vector<at::Tensor> of_kernels_;  ///< bytes, one a device
  std::vector<at::Tensor> of_casts_;    ///< FP64 numbers, likewise
};

}  // namespace ampprof::products
