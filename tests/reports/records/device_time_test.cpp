// SPDX-License-Identifier: Apache-2.0
#include "reports/records/device_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace ampprof {
namespace device_time_test {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

GpuActivity kernel(std::int64_t start, std::int64_t duration, std::int32_t stream = 1, std::int32_t device = 0) {
  return {.start_ns = start, .duration_ns = duration, .device = device, .stream = stream};
}

/// Returns the idle gaps of a device between activities, which need not be sorted.
std::vector<TimeSpan> gaps_of(std::vector<GpuActivity> activities, std::int32_t device) {
  std::ranges::stable_sort(activities, {}, &GpuActivity::start_ns);
  IdleGaps finder;
  std::vector<TimeSpan> gaps;
  for (const GpuActivity& each : activities) {
    const auto gap = finder.before(each);
    if (gap && each.device == device) gaps.push_back(*gap);
  }
  return gaps;
}

std::int64_t total_of(const std::vector<TimeSpan>& spans) {
  std::int64_t total = 0;
  for (const TimeSpan& span : spans) total += span.duration_ns();
  return total;
}

TEST(DeviceTime, TwoStreamsAtOnceAreBusyOnce) {
  const std::vector<GpuActivity> activities{kernel(10, 10, 1), kernel(15, 10, 2), kernel(40, 5, 1), kernel(45, 5, 2)};
  EXPECT_EQ(busy_spans(activities, 0), (std::vector<TimeSpan>{{10, 25}, {40, 50}}));
}

TEST(DeviceTime, KeepsDevicesApart) {
  const std::vector<GpuActivity> activities{kernel(0, 10, 1, 0), kernel(5, 10, 1, 1)};
  EXPECT_EQ(busy_spans(activities, 0), (std::vector<TimeSpan>{{0, 10}}));
  EXPECT_EQ(busy_spans(activities, 1), (std::vector<TimeSpan>{{5, 15}}));
  EXPECT_TRUE(busy_spans(activities, 2).empty());
  EXPECT_TRUE(gaps_of(activities, 0).empty());
}

TEST(DeviceTime, CountsWithinASpanOnly) {
  const std::vector<TimeSpan> busy{{10, 20}, {30, 40}, {50, 60}};
  EXPECT_EQ(busy_ns(busy, {0, 100}), 30);
  EXPECT_EQ(busy_ns(busy, {15, 35}), 10);
  EXPECT_EQ(busy_ns(busy, {32, 34}), 2);
  EXPECT_EQ(busy_ns(busy, {20, 30}), 0);
  EXPECT_EQ(busy_ns(busy, {34, 32}), 0);
  EXPECT_EQ(busy_ns({}, {0, 100}), 0);
}

TEST(DeviceTime, AGapBeginsWhereTheLastOfAllStreamsEnds) {
  // The long activity on stream 2 ends after the short activity that begins later.
  const std::vector<GpuActivity> activities{kernel(100, 10), kernel(0, 50, 2), kernel(10, 5), kernel(111, 1)};
  EXPECT_EQ(gaps_of(activities, 0), (std::vector<TimeSpan>{{50, 100}, {110, 111}}));
}

TEST(DeviceTime, NumbersThatDoNotFitStayAtTheLargest) {
  const std::vector<GpuActivity> activities{kernel(kLargest - 5, kLargest), kernel(-kLargest, kLargest), kernel(0, -5)};
  EXPECT_EQ(busy_spans(activities, 0).back().to_ns, kLargest);
  EXPECT_EQ((TimeSpan{-kLargest, kLargest}).duration_ns(), kLargest);
  EXPECT_EQ(span_of(activities[2]), (TimeSpan{0, 0}));
}

/// Up to 299 random activities on three streams of two devices.
class RandomActivities : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    const auto below = [&](std::int64_t limit) { return static_cast<std::int64_t>(random_() % limit); };
    for (auto left = below(300); left > 0; --left) {
      activities_.push_back({.segment = below(4),
                             .call_site = below(20),
                             .start_ns = below(10'000),
                             .duration_ns = below(100),
                             .bytes = below(1000),
                             .device = static_cast<std::int32_t>(below(2)),
                             .stream = static_cast<std::int32_t>(below(3)),
                             .kind = static_cast<GpuActivityKind>(below(3))});
    }
  }

  std::mt19937 random_{static_cast<std::mt19937::result_type>(GetParam())};
  std::vector<GpuActivity> activities_;
};

TEST_P(RandomActivities, ADeviceIsBusyForEachMomentThatAnyOfItsWorkCovers) {
  std::vector<bool> covered(20'000);
  for (const GpuActivity& each : activities_) {
    if (each.device == 0) std::fill_n(covered.begin() + each.start_ns, each.duration_ns, true);
  }
  const std::vector<TimeSpan> busy = busy_spans(activities_, 0);
  EXPECT_EQ(total_of(busy), std::ranges::count(covered, true));
  EXPECT_EQ(busy_ns(busy, {2000, 3000}), std::count(covered.begin() + 2000, covered.begin() + 3000, true));
}

TEST_P(RandomActivities, IsNeverBusyForLongerThanItsWorkTakes) {
  std::int64_t sum = 0;
  for (const GpuActivity& each : activities_) sum += each.device == 0 ? each.duration_ns : 0;
  EXPECT_LE(total_of(busy_spans(activities_, 0)), sum);
}

TEST_P(RandomActivities, BusyTimeAndGapsFillTheTimeFromFirstToLast) {
  const std::vector<TimeSpan> busy = busy_spans(activities_, 0);
  const std::int64_t idle = total_of(gaps_of(activities_, 0));
  if (!busy.empty()) {
    EXPECT_EQ(total_of(busy) + idle, busy.back().to_ns - busy.front().from_ns);
  }
}

TEST_P(RandomActivities, OrderDoesNotMatter) {
  std::vector<GpuActivity> shuffled = activities_;
  std::ranges::shuffle(shuffled, random_);
  EXPECT_EQ(busy_spans(shuffled, 1), busy_spans(activities_, 1));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomActivities, testing::Range(0, 20));

}  // namespace device_time_test
}  // namespace ampprof
