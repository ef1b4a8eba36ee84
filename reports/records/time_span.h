// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "reports/records/saturating_add.h"

namespace ampprof {

/// A span in nanoseconds since the run's recorder started.
struct TimeSpan {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;  ///< not before from_ns

  /// Saturates at the largest number.
  std::int64_t duration_ns() const {
    std::int64_t duration = 0;
    if (__builtin_sub_overflow(to_ns, from_ns, &duration)) return std::numeric_limits<std::int64_t>::max();
    return std::max<std::int64_t>(duration, 0);
  }
  bool operator==(const TimeSpan&) const = default;
};

inline constexpr TimeSpan kAnyTime{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};

/// Returns the time span of an op call or a GPU activity, which begins at its start_ns. A negative duration becomes 0,
/// and the end saturates.
template <class Timed>
TimeSpan span_of(const Timed& timed) {
  TimeSpan span{timed.start_ns, timed.start_ns};
  saturating_add(span.to_ns, std::max<std::int64_t>(timed.duration_ns, 0));
  return span;
}

}  // namespace ampprof
