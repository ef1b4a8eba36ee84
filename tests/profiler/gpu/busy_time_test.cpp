// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/busy_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "reports/records/device_time.h"

namespace ampprof::profiler {
namespace busy_time_test {

constexpr std::int64_t kMillisecond = 1'000'000;

/// Returns a minute of activity on two devices and several streams, almost sorted, as in CUPTI's buffers.
std::vector<GpuActivity> a_minute(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<GpuActivity> activities;
  for (std::int64_t now = 0; now < 60'000 * kMillisecond;) {
    now += random() % (12 * kMillisecond);
    const std::int64_t late = random() % 20 == 0 ? 1'500 * kMillisecond : 0;
    activities.push_back({.start_ns = std::max<std::int64_t>(now - late, 0),
                          .duration_ns = static_cast<std::int64_t>(random() % (9 * kMillisecond)),
                          .device = static_cast<std::int32_t>(random() % 3 == 0),
                          .stream = static_cast<std::int32_t>(random() % 4)});
  }
  return activities;
}

TEST(BusyTime, IsThatOfAllWorkAtOnce) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::vector<GpuActivity> activities = a_minute(seed);
    std::int64_t expected = 0;
    for (const std::int32_t device : {0, 1}) {
      for (const TimeSpan& span : busy_spans(activities, device)) expected += span.duration_ns();
    }
    BusyTime busy;
    constexpr std::size_t kBuffer = 300;
    for (std::size_t i = 0; i < activities.size(); i += kBuffer) {
      busy.add({activities.begin() + static_cast<std::ptrdiff_t>(i),
                activities.begin() + static_cast<std::ptrdiff_t>(std::min(i + kBuffer, activities.size()))});
    }
    EXPECT_EQ(busy.total_ns(), expected) << "seed " << seed;
  }
}

TEST(BusyTime, IsNothingWithoutWork) {
  BusyTime busy;
  busy.add({});
  EXPECT_EQ(busy.total_ns(), 0);
}

TEST(BusyTime, CountsStreamsThatRunAtOnceOnce) {
  BusyTime busy;
  busy.add({{.start_ns = 10, .duration_ns = 20, .stream = 1}, {.start_ns = 15, .duration_ns = 30, .stream = 2}});
  busy.add({{.start_ns = 5, .duration_ns = 10, .stream = 3}});
  EXPECT_EQ(busy.total_ns(), 40);
}

}  // namespace busy_time_test
}  // namespace ampprof::profiler
