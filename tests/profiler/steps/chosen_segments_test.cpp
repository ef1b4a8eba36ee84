// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/chosen_segments.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace chosen_segments_test {

TEST(ChosenSegments, AreTheFirstAndThenFew) {
  ChosenSegments segments;
  std::int64_t chosen = 0;
  for (std::int64_t segment = 1; segment <= 16 + 170; ++segment) {
    const bool is_chosen = segments.next();
    EXPECT_TRUE(is_chosen || segment > 16);
    chosen += is_chosen ? 1 : 0;
  }
  EXPECT_EQ(chosen, 16 + 10);
}

TEST(ChosenSegments, AreOfAllNetsThatTakeTurns) {
  ChosenSegments segments;
  std::int64_t of_first = 0, of_second = 0;
  for (std::int64_t segment = 1; segment <= 1000; ++segment) {
    if (segments.next()) ++(segment % 2 == 0 ? of_first : of_second);
  }
  EXPECT_NEAR(static_cast<double>(of_first), static_cast<double>(of_second), 2);
}

}  // namespace chosen_segments_test
}  // namespace ampprof::profiler
