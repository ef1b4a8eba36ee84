// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>

#include "profiler/torch_hooks/backward_pass.h"

namespace ampprof::profiler {

/// Remembers the newest one-element results that require a gradient, so that the loss can be found when its backward
/// begins: the engine only gets nodes, not tensors. Keeps no result alive. Thread-safe.
class OneElementResults {
 public:
  /// Adds a result if it has one element and requires a gradient.
  void add(const at::Tensor& result);
  /// Returns the result whose autograd node is this root; undefined if unknown.
  at::Tensor at(const BackwardRoot& root) const;

 private:
  using Weak = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

  mutable std::mutex mutex_;
  std::array<std::optional<Weak>, 64> newest_{};  ///< ring buffer of the latest results
  std::size_t next_ = 0;
};

}  // namespace ampprof::profiler
