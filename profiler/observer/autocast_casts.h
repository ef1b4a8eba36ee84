// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "profiler/torch_hooks/autocast_cache.h"

namespace ampprof::profiler {

struct SessionCore;
struct ThreadState;

/// Records the casts of torch.autocast. Thread-safe.
class AutocastCasts {
 public:
  explicit AutocastCasts(SessionCore& core) : core_(core) {}

  /// Records a cast as part of the op call in progress on this thread, if any. `result`: the tensor that autocast uses
  /// for `operand`: `operand` itself if no cast was needed, otherwise a copy, made since `begun_ns` or taken from
  /// autocast's cache.
  void gave(const at::Tensor& operand, const at::Tensor& result, std::int64_t begun_ns);
  void cache_cleared() { cache_.clear(); }

 private:
  std::int64_t segment_of(const ThreadState& thread) const;

  SessionCore& core_;
  AutocastCache cache_;
};

}  // namespace ampprof::profiler
