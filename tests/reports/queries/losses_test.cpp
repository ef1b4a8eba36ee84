// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reports/queries/losses.h"

namespace ampprof {
namespace losses_test {
using namespace queries;  // NOLINT

TEST(LossSummary, OfNothingIsNothing) {
  const queries::LossSummary none = summarize({});
  EXPECT_FALSE(none.initial.has_value());
  EXPECT_FALSE(none.final.has_value());
  EXPECT_FALSE(none.final_noise.has_value());
}

TEST(LossSummary, OneStepHasNoNoise) {
  const queries::LossSummary one = summarize(loss_by_step({{1, 0, 2.5}}));
  EXPECT_EQ(one.initial, 2.5);
  EXPECT_EQ(one.final, 2.5);
  EXPECT_FALSE(one.final_noise.has_value());
}

TEST(LossSummary, MeansOverValuesThenAddsLosses) {
  // Step 1: loss 0 twice (mean 3), loss 1 once (10). Step 2: loss 0 only.
  const queries::LossSummary two = summarize(loss_by_step({{1, 0, 2}, {1, 1, 10}, {1, 0, 4}, {2, 0, 5}}));
  EXPECT_EQ(two.initial, (13.0 + 5.0) / 2);
}

TEST(LossByStep, IsOneValueAStepInOrder) {
  const std::vector<queries::StepValue> expected{{1, 13.0}, {2, 5.0}};
  EXPECT_EQ(loss_by_step({{2, 0, 5}, {1, 0, 2}, {1, 1, 10}, {1, 0, 4}}), expected);
  EXPECT_TRUE(loss_by_step({}).empty());
}

TEST(LossSummary, LooksAtTenStepsOfEachEnd) {
  std::vector<queries::StepLoss> losses;
  for (int step = 25; step >= 1; --step) losses.push_back({step, 0, static_cast<double>(step)});  // any order
  const queries::LossSummary all = summarize(loss_by_step(losses));
  EXPECT_EQ(all.initial, 5.5);
  EXPECT_EQ(all.final, 20.5);
  // Of 16..25: variance 82.5 / 9.
  EXPECT_DOUBLE_EQ(*all.final_noise, std::sqrt(82.5 / 9 / 10));
}

TEST(LossSummary, ANanComesThroughWhereItIs) {
  std::vector<queries::StepLoss> losses;
  for (int step = 1; step <= 25; ++step) losses.push_back({step, 0, 1.0});
  losses.back().value = std::numeric_limits<double>::quiet_NaN();
  const queries::LossSummary all = summarize(loss_by_step(losses));
  EXPECT_EQ(all.initial, 1.0);
  EXPECT_TRUE(std::isnan(*all.final));
  EXPECT_TRUE(std::isnan(*all.final_noise));
}

}  // namespace losses_test
}  // namespace ampprof
