// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>

#include "profiler/torch_hooks/backward_pass.h"

namespace ampprof::profiler {

/// The newest results of one element that have a gradient: a loss is one of them when its backward begins. The engine
/// gets nodes only, without values. Keeps no result alive. Thread-safe.
class OneElementResults {
 public:
  /// Ignores other results.
  void add(const at::Tensor& result);
  /// Returns the result that this root is the node of; undefined if unknown.
  at::Tensor at(const BackwardRoot& root) const;

 private:
  using Weak = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

  mutable std::mutex mutex_;
  std::array<std::optional<Weak>, 64> newest_{};  ///< in turn
  std::size_t next_ = 0;
};

}  // namespace ampprof::profiler
