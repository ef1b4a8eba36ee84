// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "reports/records/gpu_activity.h"
#include "reports/records/time_span.h"

/// Busy and idle time of a device. Times are nanoseconds, on the recorder's clock. Spans do not include their end.
namespace ampprof {

/// Returns the spans in which any stream of the device was busy, in order. No two of them touch.
std::vector<TimeSpan> busy_spans(std::span<const GpuActivity> activities, std::int32_t device);

/// Returns the busy time within a span.
std::int64_t busy_ns(std::span<const TimeSpan> busy, const TimeSpan& within);

/// Finds the idle time of devices, in activities that come in the order of their start.
class IdleGaps {
 public:
  /// Returns the gap between this activity and all earlier ones of its device; empty if there is none.
  std::optional<TimeSpan> before(const GpuActivity& activity);

 private:
  std::map<std::int32_t, std::int64_t> busy_until_;  ///< by device
};

}  // namespace ampprof
