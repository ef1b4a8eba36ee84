// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder/run_clock.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace run_clock_test {

void spend(const RunClock& clock) {
  const std::int64_t until = clock.now_ns() + 200'000;
  while (clock.now_ns() < until) {
  }
}

TEST(OverheadTime, WithinAnotherCountsNothing) {
  RunClock clock;
  const std::int64_t begun = clock.now_ns();
  {
    const OverheadTime outer(clock);
    {
      const OverheadTime inner(clock);
      spend(clock);
    }
    spend(clock);
  }
  EXPECT_GE(clock.overhead_ns(), 400'000);
  EXPECT_LE(clock.overhead_ns(), clock.now_ns() - begun) << "no more than there was";
}

TEST(OverheadTime, IsNotInTheTimeThatNothingCounts) {
  RunClock clock;
  const std::int64_t begun = clock.now_ns();
  const std::int64_t before = OverheadTime::not_counted_ns(clock);
  {
    const OverheadTime counted(clock);
    spend(clock);
  }
  const std::int64_t not_counted = OverheadTime::not_counted_ns(clock) - before;
  EXPECT_GE(not_counted, 0);
  EXPECT_LE(not_counted + clock.overhead_ns(), clock.now_ns() - begun);
}

}  // namespace run_clock_test
}  // namespace ampprof::profiler
