// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/repeats.h"

#include <gtest/gtest.h>

#include <limits>
#include <ostream>

namespace ampprof::probe {
namespace repeats_test {

struct Speed {
  double call_us;
  Schedule expected;
};

void PrintTo(const Speed& speed, std::ostream* out) { *out << speed.call_us << " us"; }

class ScheduleOf : public testing::TestWithParam<Speed> {};

TEST_P(ScheduleOf, FillsARepeatAndKeepsTheBound) {
  EXPECT_EQ(schedule_of(GetParam().call_us, {}), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Calls, ScheduleOf,
                         testing::Values(Speed{0, {200, 15}}, Speed{5, {200, 15}}, Speed{300, {4, 15}},
                                         Speed{10'000, {1, 15}}, Speed{100'000, {1, 5}}, Speed{10e6, {1, 3}},
                                         Speed{std::numeric_limits<double>::infinity(), {1, 3}}),
                         [](const auto& info) { return std::to_string(info.index); });

TEST(Quantile, IsLinearBetweenValues) {
  EXPECT_EQ(quantile({5}, 0.5), 5);
  EXPECT_EQ(quantile({4, 1, 2, 3}, 0.5), 2.5);
  EXPECT_EQ(quantile({5, 1, 2, 3, 4}, 0.25), 2);
  EXPECT_EQ(quantile({5, 1, 2, 3, 4}, 0), 1);
  EXPECT_EQ(quantile({5, 1, 2, 3, 4}, 1), 5);
}

TEST(TimingOf, IsTheMedianOfRepeatsAfterWarmingUp) {
  // Calls are slow at first, then take 300 us, except in one disturbed repeat.
  std::vector<std::int64_t> asked;
  const auto time_calls = [&](std::int64_t calls) {
    asked.push_back(calls);
    if (asked.size() == 1) return 1e6;
    return asked.size() == 5 ? 9000.0 : 300.0 + static_cast<double>(asked.size() % 2);
  };
  std::int64_t mhz = 1000;
  const Timing timing = timing_of(time_calls, [&] { return std::optional(mhz += 100); });
  EXPECT_EQ(timing.calls, 4) << "1 ms a repeat";
  EXPECT_EQ(timing.repeats, 15);
  EXPECT_EQ(asked.size(), 17u);
  EXPECT_EQ(asked[0], 1) << "loads and chooses kernels";
  EXPECT_EQ(asked[1], 3) << "says how long a call takes";
  EXPECT_EQ(asked[2], 4);
  EXPECT_TRUE(timing.median_us == 300 || timing.median_us == 301) << timing.median_us;
  EXPECT_LE(timing.spread_us, 1) << "one disturbed repeat is outside the quartiles";
  EXPECT_EQ(timing.sm_mhz_before, 1100);
  EXPECT_EQ(timing.sm_mhz_after, 1200);
}

TEST(TimingOf, PassesOnWhatThrows) {
  const auto fails = [](std::int64_t) -> double { throw std::runtime_error("out of memory"); };
  EXPECT_THROW(timing_of(fails, [] { return std::nullopt; }), std::runtime_error);
}

}  // namespace repeats_test
}  // namespace ampprof::probe
