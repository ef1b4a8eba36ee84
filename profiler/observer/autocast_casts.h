// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "profiler/torch_hooks/autocast_cache.h"

namespace ampprof::profiler {

struct SessionCore;
struct ThreadState;

/// Takes the casts of torch.autocast. Thread-safe.
class AutocastCasts {
 public:
  explicit AutocastCasts(SessionCore& core) : core_(core) {}

  /// Autocast gave `result` for `operand` in the call in progress on this thread: the same tensor where it needed no
  /// cast, else a copy that it made since `begun_ns`, or had in its cache. Recorded with the call in progress, if there
  /// is one.
  void gave(const at::Tensor& operand, const at::Tensor& result, std::int64_t begun_ns);
  void cache_cleared() { cache_.clear(); }

 private:
  std::int64_t segment_of(const ThreadState& thread) const;

  SessionCore& core_;
  AutocastCache cache_;
};

}  // namespace ampprof::profiler
