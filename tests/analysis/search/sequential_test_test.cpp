// SPDX-License-Identifier: Apache-2.0
#include "analysis/search/sequential_test.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ampprof::search {
namespace sequential_test_test {

using Worse = std::vector<std::optional<double>>;

TEST(StudentTail, IsThatOfTables) {
  // Upper quantiles of Student's t distribution, from one-sided tables.
  EXPECT_NEAR(student_tail(6.965, 2), 0.01, 1e-5);
  EXPECT_NEAR(student_tail(3.365, 5), 0.01, 1e-5);
  EXPECT_NEAR(student_tail(2.539, 19), 0.01, 2e-5);
  EXPECT_NEAR(student_tail(12.706, 1), 0.025, 1e-5);
  EXPECT_NEAR(student_tail(1.960, 1e7), 0.025, 1e-5) << "close to the normal distribution";
  EXPECT_DOUBLE_EQ(student_tail(0, 4), 0.5);
  EXPECT_NEAR(student_tail(-2, 6) + student_tail(2, 6), 1.0, 1e-12);
}

TEST(EstimateOf, HasNoStandardErrorOfOneValue) {
  EXPECT_EQ(estimate_of(std::vector{3.0}).mean, 3.0);
  EXPECT_FALSE(estimate_of(std::vector{3.0}).standard_error);
  const Estimate estimate = estimate_of(std::vector{1.0, 3.0});
  EXPECT_EQ(estimate.mean, 2.0);
  EXPECT_DOUBLE_EQ(*estimate.standard_error, 1.0) << "sqrt(2) / sqrt(2)";
}

TEST(Decide, AsksForTheRunsOfTheNextLook) {
  const TestPlan plan;
  EXPECT_EQ(decide(Worse{}, 1, plan).verdict, std::nullopt);
  EXPECT_EQ(decide(Worse{}, 1, plan).pairs, 3u);
  EXPECT_EQ(decide(Worse{0.0, std::nullopt, 0.1}, 1, plan).pairs, 3u);
  EXPECT_EQ(decide(Worse{-3.0, 0.0, 3.0}, 1, plan).verdict, std::nullopt);
  EXPECT_EQ(decide(Worse{-3.0, 0.0, 3.0}, 1, plan).pairs, 5u);
}

TEST(Decide, TellsWhatIsFarFromTheTolerance) {
  EXPECT_EQ(decide(Worse{0.0, 0.01, -0.01}, 1, {}).verdict, Verdict::Pass);
  EXPECT_EQ(decide(Worse{5.0, 5.01, 4.99}, 1, {}).verdict, Verdict::Fail);
}

TEST(Decide, OfEqualDifferencesNeedsNoSpread) {
  EXPECT_EQ(decide(Worse{1.0, 1.0, 1.0}, 1, {}).verdict, Verdict::Pass) << "within means up to it";
  EXPECT_EQ(decide(Worse{1.5, 1.5, 1.5}, 1, {}).verdict, Verdict::Fail);
  EXPECT_EQ(decide(Worse{1.5}, 1, {.error = 0.01, .looks = {1}}).verdict, Verdict::Fail);
}

TEST(Decide, FailsByOneRunThatFailed) {
  const Decision decision = decide(Worse{std::nullopt, HUGE_VAL}, 1, {});
  EXPECT_EQ(decision.verdict, Verdict::Fail);
}

TEST(Decide, IgnoresRunsAfterTheDecisiveLook) {
  EXPECT_EQ(decide(Worse{0.0, 0.01, -0.01, HUGE_VAL, 9.0}, 1, {}).verdict, Verdict::Pass)
      << "else the order in which runs end would count";
}

TEST(Decide, EndsUndecidedWhereTheMeanIsTheTolerance) {
  Worse worse;
  for (int i = 0; i < 20; ++i) worse.push_back(i % 2 == 0 ? 0.0 : 2.0);
  EXPECT_EQ(decide(worse, 1, {}).verdict, Verdict::Undecided);
}

TEST(Decide, IsWrongNoMoreOftenThanItSays) {
  // If the true difference equals the tolerance, every verdict is an error, and errors are most likely.
  const TestPlan plan{.error = 0.05};
  constexpr int kTrials = 4000;
  std::mt19937 random(3);
  std::normal_distribution<double> difference(1.0, 2.0);
  int passed = 0;
  int failed = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    Worse worse;
    for (std::size_t i = 0; i < plan.looks.back(); ++i) worse.push_back(difference(random));
    const auto verdict = decide(worse, 1.0, plan).verdict;
    passed += verdict == Verdict::Pass ? 1 : 0;
    failed += verdict == Verdict::Fail ? 1 : 0;
  }
  EXPECT_LE(passed, 0.06 * kTrials) << "three standard errors of such a count are 1 % of it";
  EXPECT_LE(failed, 0.06 * kTrials);
  EXPECT_GE(passed + failed, 0.04 * kTrials) << "Bonferroni gives away less than half here";
}

}  // namespace sequential_test_test
}  // namespace ampprof::search
