// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace ampprof::profiler {

/// Knows the copies that torch.autocast keeps in its cache, by what its casts gave. Keeps none alive. Thread-safe.
class AutocastCache {
 public:
  /// Says when a copy was made.
  struct Origin {
    std::int64_t segment = 0;  ///< that its cast was in
    std::int64_t writes = -1;  ///< count_of_writes() to its operand then
  };

  /// Takes what a cast of `operand` in `segment` gave: `copy`, another tensor. Returns the origin of a copy that an
  /// earlier cast gave, so that this one is a hit.
  std::optional<Origin> given(const at::Tensor& operand, const at::Tensor& copy, std::int64_t segment);

  /// Autocast has emptied its cache.
  void clear();

 private:
  using Weak = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  struct Known {
    Weak copy;  ///< keeps the address from being used again
    Origin origin;
  };

  std::mutex mutex_;
  std::unordered_map<const c10::TensorImpl*, Known> known_;  ///< by their copies
  std::size_t purge_at_ = 256;
};

/// Counts the writes of in-place ops to `tensor`; -1 where LibTorch does not.
std::int64_t count_of_writes(const at::Tensor& tensor);

}  // namespace ampprof::profiler
