// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ampprof::profiler {

/// Knows the copies that torch.autocast keeps in its cache, by what its casts gave. Keeps none alive. Thread-safe.
class AutocastCache {
 public:
  /// Takes what a cast of `operand` in `segment` gave: `copy`, another tensor. Returns the segment that the copy was
  /// made in if an earlier cast gave it, so that this one is a hit.
  std::optional<std::int64_t> given(const at::Tensor& operand, const at::Tensor& copy, std::int64_t segment);

  /// Autocast has emptied its cache.
  void clear();

 private:
  using Weak = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  struct Known {
    Weak copy;  ///< keeps the address from being used again
    std::int64_t segment;
  };

  std::mutex mutex_;
  std::unordered_map<const c10::TensorImpl*, Known> known_;  ///< by their copies
  std::size_t purge_at_ = 256;
};

/// Returns whether torch.autocast may have a copy in its cache: without one there is no hit.
bool has_cached_copies();

/// An operand in whose place an op call took a copy that torch.autocast had in its cache.
struct CacheHit {
  at::Tensor operand;
  at::Tensor copy;
  std::int64_t cast_segment = 0;  ///< that the copy was made in
};

/// Keeps a hit of the op call in progress on this thread.
void keep_cache_hit(CacheHit hit);
/// Hands out, once, the hits that this thread has kept.
std::vector<CacheHit> take_cache_hits();

}  // namespace ampprof::profiler
