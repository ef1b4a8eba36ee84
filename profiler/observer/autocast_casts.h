// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "profiler/torch_hooks/autocast_cache.h"

namespace ampprof::profiler {

struct SessionCore;

/// Takes the casts of torch.autocast. Thread-safe.
class AutocastCasts {
 public:
  explicit AutocastCasts(SessionCore& core) : core_(core) {}

  /// Autocast gave `result` for `operand` in the call in progress on this thread: the same tensor where it needed no
  /// cast, else a copy that it made since `begun_ns`, or had in its cache. Does nothing without a call in progress.
  void gave(const at::Tensor& operand, const at::Tensor& result, std::int64_t begun_ns);
  void cache_cleared() { cache_.clear(); }

 private:
  SessionCore& core_;
  AutocastCache cache_;
};

}  // namespace ampprof::profiler
