// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "reports/records/probe.h"

namespace ampprof::probe {

/// How often a call is repeated. Short calls are timed several at once, since a clock's ticks and a launch's jitter
/// would drown one.
struct RepeatLimits {
  double repeat_us = 1'000;       ///< a repeat should take as long
  double most_us = 500'000;       ///< all repeats of a case together; fewer are made of slow calls
  std::int64_t most_calls = 200;  ///< a GPU takes about a thousand launches before the CPU must wait
  std::int64_t most_repeats = 15;
  std::int64_t least_repeats = 3;
};

/// Calls of each repeat and the number of repeats, from how long one call took.
struct Schedule {
  std::int64_t calls = 1;
  std::int64_t repeats = 1;

  bool operator==(const Schedule&) const = default;
};
Schedule schedule_of(double call_us, const RepeatLimits& repeats);

/// Runs a call so many times on the device and says how long one took, in microseconds, on average.
using TimeCalls = std::function<double(std::int64_t calls)>;

/// Clock of the multiprocessors in MHz; empty where nobody tells.
using ReadClock = std::function<std::optional<std::int64_t>()>;

/// Warms up, finds how many calls are needed, and repeats. What `time_calls` throws is passed on.
Timing timing_of(const TimeCalls& time_calls, const ReadClock& clock, const RepeatLimits& repeats = {});

/// Returns the quantile of any number of values, at least one: linear between the nearest two.
double quantile(std::vector<double> values, double share);

}  // namespace ampprof::probe
