// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/losses.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

namespace ampprof {
namespace losses_test {
using namespace queries;  // NOLINT

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

/// Returns one loss per step, with the given values.
std::vector<StepLoss> steps_of(const std::vector<double>& values) {
  std::vector<StepLoss> losses;
  for (const double value : values) losses.push_back({std::ssize(losses) + 1, 0, value});
  return losses;
}

TEST(LossSummary, OfNothingIsNothing) {
  const LossSummary none = summarize({});
  EXPECT_FALSE(none.initial.has_value());
  EXPECT_FALSE(none.final.has_value());
  EXPECT_FALSE(none.last.mean.has_value());
  EXPECT_FALSE(none.ends_nonfinite);
}

TEST(LossSummary, OneStepHasNoNoise) {
  const LossSummary one = summarize({{1, 0, 2.5}});
  EXPECT_EQ(one.initial, 2.5);
  EXPECT_EQ(one.final, 2.5);
  EXPECT_EQ(one.last.mean, 2.5);
  EXPECT_FALSE(one.last.noise.has_value());
  EXPECT_FALSE(one.fall.has_value());
}

TEST(LossSummary, BeginsWithTheFirstValueAndEndsWithTheLast) {
  // In each step, loss 0 has two micro-batches and loss 1 has one.
  const LossSummary two = summarize({{1, 0, 2}, {1, 1, 10}, {1, 0, 4}, {2, 0, 5}, {2, 1, 20}, {2, 0, 7}});
  EXPECT_EQ(two.initial, 12.0) << "of both losses";
  EXPECT_EQ(two.final, 27.0);
  EXPECT_EQ(two.first.mean, (13.0 + 26.0) / 2) << "means over values, added up, then over steps";
}

TEST(LossByStep, IsOneValueAStepInOrder) {
  const std::vector<StepValue> expected{{1, 13.0}, {2, 5.0}};
  EXPECT_EQ(loss_by_step({{2, 0, 5}, {1, 0, 2}, {1, 1, 10}, {1, 0, 4}}), expected);
  EXPECT_TRUE(loss_by_step({}).empty());
}

TEST(LossSummary, LooksAtTenStepsOfEachEnd) {
  std::vector<StepLoss> losses;
  for (int step = 25; step >= 1; --step) losses.push_back({step, 0, static_cast<double>(step)});  // not sorted
  const LossSummary all = summarize(losses);
  EXPECT_EQ(all.initial, 1.0);
  EXPECT_EQ(all.final, 25.0);
  EXPECT_EQ(all.first.mean, 5.5);
  EXPECT_EQ(all.last.mean, 20.5);
  // The variance of 16..25 is 82.5 / 9.
  EXPECT_DOUBLE_EQ(*all.last.noise, std::sqrt(82.5 / 9 / 10));
  EXPECT_EQ(all.fall, -15.0);
  EXPECT_DOUBLE_EQ(*all.fall_noise, std::sqrt(2 * 82.5 / 9 / 10));
}

TEST(LossSummary, HalvesAShortRunToSeeWhetherItFalls) {
  EXPECT_EQ(summarize(steps_of({8, 6, 100, 3, 1})).fall, 5.0) << "of 8 and 6 to 3 and 1";
  EXPECT_FALSE(summarize(steps_of({8, 6, 3})).fall.has_value()) << "one step has no noise";
  EXPECT_FALSE(summarize(steps_of({8, 6, 3, kNan})).fall.has_value());
}

TEST(LossSummary, MeansLeaveOutWhatIsNotFiniteAndCountIt) {
  const LossSummary some = summarize(steps_of({1, kNan, 3, kInf, 5, kNan}));
  EXPECT_EQ(some.initial, 1.0);
  EXPECT_TRUE(std::isnan(*some.final)) << "the last one";
  EXPECT_EQ(some.last.mean, 3.0);
  EXPECT_EQ(some.last.nonfinite, 3);
  EXPECT_EQ(some.nonfinite, 3);
  EXPECT_FALSE(some.ends_nonfinite) << "the fifth is finite";
  EXPECT_FALSE(summarize(steps_of({kNan, kInf})).last.mean.has_value());
}

TEST(LossSummary, EndsNotFiniteWhereEachOfTheLastThreeIs) {
  EXPECT_TRUE(summarize(steps_of({1, kNan, kInf, -kInf})).ends_nonfinite);
  EXPECT_FALSE(summarize(steps_of({1, kNan, kInf})).ends_nonfinite);
  EXPECT_TRUE(summarize(steps_of({kNan})).ends_nonfinite) << "there are no more";
  EXPECT_FALSE(summarize(steps_of({kNan, kNan, kNan, 1})).ends_nonfinite);
}

}  // namespace losses_test
}  // namespace ampprof
