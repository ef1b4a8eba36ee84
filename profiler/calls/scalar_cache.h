// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace ampprof::profiler {

/// Caches the values of one-element tensors, so that each is read from its device only once after a write. The version
/// counter shows writes. Not thread-safe.
class ScalarCache {
 public:
  /// Reads the values of one-element tensors, and returns them in the same order.
  using Read = std::function<std::vector<double>(const std::vector<at::Tensor>&)>;

  explicit ScalarCache(Read read) : read_(std::move(read)) {}

  /// Returns the values in the order of `tensors`. Reads values that are not cached.
  std::vector<double> of(const std::vector<at::Tensor>& tensors);
  /// Stores the current value of a tensor.
  void put(const at::Tensor& tensor, double value);

 private:
  using Weak = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  struct Known {
    Weak tensor;  ///< weak reference, which keeps the address from being reused
    std::uint32_t version;
    double value;
  };
  const Known* find(const at::Tensor& tensor) const;

  const Read read_;
  std::vector<Known> known_;  ///< few, so searched linearly
};

}  // namespace ampprof::profiler
