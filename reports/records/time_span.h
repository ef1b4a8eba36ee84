// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ampprof {

/// Nanoseconds since the run's recorder started.
struct TimeSpan {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;  ///< not before from_ns

  /// At most the largest number.
  std::int64_t duration_ns() const {
    std::int64_t duration = 0;
    if (__builtin_sub_overflow(to_ns, from_ns, &duration)) return std::numeric_limits<std::int64_t>::max();
    return std::max<std::int64_t>(duration, 0);
  }
  bool operator==(const TimeSpan&) const = default;
};

}  // namespace ampprof
