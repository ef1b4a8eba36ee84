// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reports/records/saturating_add.h"

namespace ampprof::profiler {

/// One moment on CUPTI's clock and on the recorder's clock, in nanoseconds.
struct CuptiClock {
  std::uint64_t cupti = 0;
  std::int64_t recorder = 0;

  /// Converts a time on CUPTI's clock to the recorder's clock. The result is negative for a time before the recorder
  /// started.
  constexpr std::int64_t to_recorder(std::uint64_t cupti_time) const {
    std::int64_t time = recorder;
    saturating_add(time, static_cast<std::int64_t>(cupti_time - cupti));  // wraps to a negative number as intended
    return time;
  }

  bool operator==(const CuptiClock&) const = default;
};

/// Reads CUPTI's clock between two reads of the recorder's clock, several times, and returns the pair that took the
/// least time. The error of the pair is at most half of that time. Both arguments return nanoseconds.
template <typename CuptiNow, typename RecorderNow>
CuptiClock read_clocks(CuptiNow&& cupti_now, RecorderNow&& recorder_now) {
  constexpr int kReadings = 16;
  CuptiClock best;
  std::int64_t least = 0;
  for (int i = 0; i < kReadings; ++i) {
    const std::int64_t before = recorder_now();
    const std::uint64_t cupti = cupti_now();
    const std::int64_t width = recorder_now() - before;
    if (i > 0 && width >= least) continue;
    least = width;
    best = {cupti, before + width / 2};
  }
  return best;
}

}  // namespace ampprof::profiler
