// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "reports/records/gpu_activity.h"
#include "reports/records/time_span.h"

/// How the time of a device was used. Times are nanoseconds, on the recorder's clock. Spans are up to, not including,
/// their end.
namespace ampprof {

/// When the device did anything, on whichever streams: in order, no two of them touch.
std::vector<TimeSpan> busy_spans(std::span<const GpuActivity> activities, std::int32_t device);

/// How long, within a span.
std::int64_t busy_ns(std::span<const TimeSpan> busy, const TimeSpan& within);

/// Finds the times when devices did nothing, in activity that comes in the order of its start.
class IdleGaps {
 public:
  /// Returns what lies between this activity and all of its device before it; empty where nothing does.
  std::optional<TimeSpan> before(const GpuActivity& activity);

 private:
  std::map<std::int32_t, std::int64_t> busy_until_;  ///< by device
};

}  // namespace ampprof
