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

/// Mirrors the cache of torch.autocast, from the results of its casts. Keeps no copy alive. Thread-safe.
class AutocastCache {
 public:
  /// Notes that autocast's cast of `operand` in `segment` returned `copy`. If an earlier cast returned the same tensor,
  /// this is a cache hit: returns the segment in which that copy was made. Otherwise returns empty.
  std::optional<std::int64_t> given(const at::Tensor& operand, const at::Tensor& copy, std::int64_t segment);

  /// Call it when autocast has emptied its cache.
  void clear();

 private:
  using Weak = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  struct Known {
    Weak copy;  ///< prevents reuse of the address
    std::int64_t segment;
  };

  std::mutex mutex_;
  std::unordered_map<const c10::TensorImpl*, Known> known_;  ///< casts by the address of the copy
  std::size_t purge_at_ = 256;
};

/// Returns whether torch.autocast may have a copy in its cache. If not, cache hits need not be looked for.
bool has_cached_copies();

/// An operand for which an op call took a copy from torch.autocast's cache.
struct CacheHit {
  at::Tensor operand;
  at::Tensor copy;
  std::int64_t cast_segment = 0;  ///< segment in which the copy was made
};

/// Stores a hit of the op call in progress on this thread, for take_cache_hits().
void keep_cache_hit(CacheHit hit);
/// Returns and clears the hits that this thread has stored.
std::vector<CacheHit> take_cache_hits();

}  // namespace ampprof::profiler
