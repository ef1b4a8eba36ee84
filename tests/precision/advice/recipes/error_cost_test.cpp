// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/recipes/error_cost.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ampprof::advice {
namespace error_cost_test {

using Steps = std::vector<StepImpact>;

TEST(ErrorCost, IsNoneWithoutSteps) { EXPECT_EQ(error_cost_of({}, true), ErrorCost{}); }

TEST(ErrorCost, OfOneStepWithoutEIsAsUncertainAsItIsLarge) {
  const ErrorCost error_cost = error_cost_of(Steps{{.step = 0, .change = -2.0}}, true);
  EXPECT_EQ(error_cost.mean, -2.0);
  EXPECT_EQ(error_cost.variance, 4.0);
  EXPECT_EQ(error_cost.squares, 0.0);
  EXPECT_EQ(error_cost.bound(), 4.0);
}

TEST(ErrorCost, TakesEOfOneStepForItsScatter) {
  const ErrorCost error_cost = error_cost_of(Steps{{.step = 0, .change = 1.0, .square = 4.0}}, true);
  EXPECT_EQ(error_cost.squares, 4.0);
  EXPECT_GT(error_cost.squares_high, 4.0);
  const double t = student_quantile_95(4);
  EXPECT_DOUBLE_EQ(error_cost.variance, t * t * 4.0);
  EXPECT_DOUBLE_EQ(error_cost.size(), std::sqrt(5.0));
}

TEST(ErrorCost, HasThePlainErrorOfTheMeanWhereEIsNotToBeTrusted) {
  const Steps steps{{0, 1.0, 100.0}, {1, 3.0, 100.0}};
  const ErrorCost error_cost = error_cost_of(steps, false);
  const double t = student_quantile_95(1);
  EXPECT_EQ(error_cost.mean, 2.0);
  EXPECT_DOUBLE_EQ(error_cost.variance, t * t * 2.0 / 2);
  EXPECT_EQ(error_cost.squares, 2.0);
  EXPECT_GT(error_cost.squares_high, 2.0);
}

TEST(ErrorCost, OfManyStepsIsSure) {
  std::mt19937 random(1);
  std::normal_distribution<double> change(0.5, 1.0);
  Steps steps;
  for (int i = 0; i < 10'000; ++i) steps.push_back({i, change(random), 1.0});
  const ErrorCost error_cost = error_cost_of(steps, true);
  EXPECT_NEAR(error_cost.mean, 0.5, 0.05);
  EXPECT_LT(std::sqrt(error_cost.variance), 0.05);
  EXPECT_NEAR(error_cost.squares, 1.0, 1e-9);
}

TEST(ErrorCost, DoesNotCountOnMeansThatCancel) {
  ErrorCost sum{.mean = 1.0, .mean_squares = 1.0};
  sum.add({.mean = -1.0, .mean_squares = 1.0});
  EXPECT_EQ(sum.mean, 0.0);
  EXPECT_DOUBLE_EQ(sum.bound(), std::sqrt(2.0));
  EXPECT_EQ(sum.size(), 0.0);
}

TEST(ErrorCost, HarmsEitherWay) {
  EXPECT_EQ((ErrorCost{.mean = -3.0}).bound(), 3.0);
  EXPECT_EQ((ErrorCost{.mean = 3.0}).bound(), 3.0);
}

}  // namespace error_cost_test
}  // namespace ampprof::advice
