// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "reports/records/probe.h"

namespace ampprof::probe {

/// Limits for the repeats of a call. One repeat times several short calls, since clock ticks and launch jitter would
/// hide a single one.
struct RepeatLimits {
  double repeat_us = 1'000;       ///< target duration of one repeat
  double most_us = 500'000;       ///< limit for all repeats of a case; slow calls get fewer
  std::int64_t most_calls = 200;  ///< a GPU queues about a thousand launches before the CPU must wait
  std::int64_t most_repeats = 15;
  std::int64_t least_repeats = 3;
};

/// Calls per repeat and number of repeats, derived from the time of one call.
struct Schedule {
  std::int64_t calls = 1;
  std::int64_t repeats = 1;

  bool operator==(const Schedule&) const = default;
};
Schedule schedule_of(double call_us, const RepeatLimits& repeats);

/// Runs a call `calls` times on the device and returns the mean time of one call in microseconds.
using TimeCalls = std::function<double(std::int64_t calls)>;

/// Reads the multiprocessor clock in MHz; empty if unknown.
using ReadClock = std::function<std::optional<std::int64_t>()>;

/// Warms up, determines the numbers of calls and repeats, and times the calls. Forwards exceptions of `time_calls`.
Timing timing_of(const TimeCalls& time_calls, const ReadClock& clock, const RepeatLimits& repeats = {});

/// Returns a quantile of at least one value, linear between the nearest two.
double quantile(std::vector<double> values, double share);

}  // namespace ampprof::probe
