// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/clock.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace clock_test {

TEST(GpuClock, MovesMomentsToTheRecordersClock) {
  constexpr CuptiClock kClock{1000, 50};
  EXPECT_EQ(kClock.to_recorder(1000), 50);
  EXPECT_EQ(kClock.to_recorder(1007), 57);
  EXPECT_EQ(kClock.to_recorder(900), -50);
}

TEST(GpuClock, KeepsTheReadingThatTookLeast) {
  std::int64_t now = 0;
  std::uint64_t readings = 0;
  const auto cupti = [&] {
    now += ++readings == 7 ? 2 : 100;
    return 1000 * readings;
  };
  const auto recorder = [&] { return now; };
  EXPECT_EQ(read_clocks(cupti, recorder), (CuptiClock{7000, 601}));
}

}  // namespace clock_test
}  // namespace ampprof::profiler
