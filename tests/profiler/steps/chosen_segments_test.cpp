// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/chosen_segments.h"

#include <gtest/gtest.h>

#include <set>

namespace ampprof::profiler {
namespace chosen_segments_test {

TEST(ChosenSegments, AreTheFirstAndThenFew) {
  ChosenSegments segments(/*all=*/false);
  std::int64_t chosen = 0;
  for (std::int64_t segment = 1; segment <= 16 + 170; ++segment) {
    const bool is_chosen = segments.chooses(segment);
    EXPECT_EQ(segments.chooses(segment), is_chosen) << "whoever asks";
    EXPECT_TRUE(is_chosen || segment > 16);
    chosen += is_chosen ? 1 : 0;
  }
  EXPECT_EQ(chosen, 16 + 10);
}

TEST(ChosenSegments, AreOfAllNetsThatTakeTurns) {
  ChosenSegments segments(/*all=*/false);
  std::int64_t of_first = 0, of_second = 0;
  for (std::int64_t segment = 17; segment <= 1000; ++segment) {
    if (segments.chooses(segment)) ++(segment % 2 == 0 ? of_first : of_second);
  }
  EXPECT_NEAR(static_cast<double>(of_first), static_cast<double>(of_second), 9);
}

TEST(ChosenSegments, AreAllWhereThatIsAsked) {
  ChosenSegments segments(/*all=*/true);
  for (std::int64_t segment = 1; segment <= 100; ++segment) EXPECT_TRUE(segments.chooses(segment));
}

TEST(ChosenSegments, MayTakeTurnsCallByCall) {
  ChosenSegments segments(/*all=*/false);
  std::set<std::int64_t> chosen, others;
  for (std::int64_t segment = 1; segment <= 100; segment += 2) {
    for (int call = 0; call < 5; ++call) {
      for (const std::int64_t each : {segment, segment + 1}) (segments.chooses(each) ? chosen : others).insert(each);
    }
  }
  for (const std::int64_t segment : chosen) EXPECT_FALSE(others.contains(segment)) << segment;
  EXPECT_EQ(chosen.size(), 16u + (100u - 16u) / 17u);
}

}  // namespace chosen_segments_test
}  // namespace ampprof::profiler
