// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/repeats.h"

#include <algorithm>
#include <cmath>

namespace ampprof::probe {
namespace {

constexpr std::int64_t kWarmUps = 3;

/// Returns a number, which may be huge or NaN, as an integer from 1 to `most`.
std::int64_t bounded(double number, std::int64_t most) {
  if (!(number >= 1)) return 1;
  return number >= static_cast<double>(most) ? most : static_cast<std::int64_t>(number);
}

}  // namespace

Schedule schedule_of(double call_us, const RepeatLimits& repeats) {
  const double least_us = std::max(call_us, 1e-3);
  Schedule schedule;
  schedule.calls = bounded(std::ceil(repeats.repeat_us / least_us), repeats.most_calls);
  const double affordable = repeats.most_us / (least_us * static_cast<double>(schedule.calls));
  schedule.repeats = std::max(bounded(affordable, repeats.most_repeats), repeats.least_repeats);
  return schedule;
}

double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

Timing timing_of(const TimeCalls& time_calls, const ReadClock& clock, const RepeatLimits& repeats) {
  time_calls(1);  // loads kernels and fills caches; cudnn.benchmark tries algorithms
  const Schedule schedule = schedule_of(time_calls(kWarmUps), repeats);
  Timing timing{.repeats = schedule.repeats, .calls = schedule.calls, .sm_mhz_before = clock()};
  std::vector<double> times;
  for (std::int64_t i = 0; i < schedule.repeats; ++i) times.push_back(time_calls(schedule.calls));
  timing.sm_mhz_after = clock();
  timing.median_us = quantile(times, 0.5);
  timing.spread_us = quantile(times, 0.75) - quantile(times, 0.25);
  return timing;
}

}  // namespace ampprof::probe
