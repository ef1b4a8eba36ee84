// SPDX-License-Identifier: Apache-2.0
#include "profiler/calls/recomputed_functions.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace recomputed_functions_test {

constexpr std::int32_t kMul = 1;
constexpr std::int32_t kAdd = 2;

TEST(RecomputedFunctions, RepeatedCallsHaveTheSitesOfTheFirstRun) {
  RecomputedFunctions functions;
  functions.add(7, {{kMul, 10}, {kAdd, 11}, {kMul, 12}});
  const auto first = functions.repeat(7, kMul);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->is_first);
  EXPECT_EQ(first->site, 10);
  const auto second = functions.repeat(7, kMul);
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->is_first);
  EXPECT_EQ(second->site, 12) << "a call that is not made again is passed over";
  EXPECT_EQ(functions.repeat(7, kAdd)->site, std::nullopt) << "nothing is left";
}

TEST(RecomputedFunctions, AnUnknownFunctionRepeatsNothing) {
  RecomputedFunctions functions;
  EXPECT_FALSE(functions.repeat(7, kMul));
  functions.add(7, {{kMul, 10}});
  EXPECT_FALSE(functions.repeat(8, kMul));
  functions.clear();
  EXPECT_FALSE(functions.repeat(7, kMul)) << "the segment is over";
}

}  // namespace recomputed_functions_test
}  // namespace ampprof::profiler
