// SPDX-License-Identifier: Apache-2.0
#include "reports/records/impact_estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace ampprof {
namespace impact_estimate_test {

using Steps = std::vector<StepImpact>;

/// Returns one step for each of `sizes`, its expected loss impact (E).
Steps with_sizes(const std::vector<double>& sizes) {
  Steps steps;
  for (const double size : sizes) {
    steps.push_back({.step = static_cast<std::int64_t>(steps.size()) + 1, .change = 0.0, .square = size * size});
  }
  return steps;
}

/// Simulates loss impacts of many independent roundings, with gradients of a different size in each batch.
class Truth {
 public:
  explicit Truth(unsigned seed) : random_(seed) {}

  /// Returns a factor for the size of the gradients in each batch. All simulated ops share the factors.
  std::vector<double> batches(int count) {
    std::vector<double> factors;
    std::lognormal_distribution<double> factor(0.0, 0.3);
    for (int i = 0; i < count; ++i) factors.push_back(factor(random_));
    return factors;
  }

  /// Returns the impact of an op in each batch. `size` is the RMS change of the loss in a batch with factor 1.
  Steps steps(double size, const std::vector<double>& batches) {
    constexpr int kRoundings = 200;
    std::normal_distribution<double> gradient(0.0, 1.0);
    std::uniform_real_distribution<double> rounding(-1.0, 1.0);
    const double unit = size / std::sqrt(kRoundings / 3.0);
    Steps steps;
    for (const double batch : batches) {
      StepImpact step{.step = static_cast<std::int64_t>(steps.size()) + 1, .change = 0.0, .square = 0.0};
      for (int i = 0; i < kRoundings; ++i) {
        const double product = unit * batch * gradient(random_) * rounding(random_);
        step.change += product;
        *step.square += product * product;
      }
      steps.push_back(step);
    }
    return steps;
  }

 private:
  std::mt19937 random_;
};

TEST(ImpactEstimate, IsTheRootOfTheMeanSquareOverSteps) {
  EXPECT_DOUBLE_EQ(*estimate_of(with_sizes({3.0, 4.0})), std::sqrt(12.5));
  EXPECT_EQ(estimate_of({}), std::nullopt);
  EXPECT_EQ(estimate_of(Steps{{.step = 1, .change = 5.0}}), std::nullopt) << "no roundings were recorded";
}

TEST(ImpactChange, HasARootMeanSquareOverSteps) {
  EXPECT_DOUBLE_EQ(*rms_change_of(Steps{{.step = 1, .change = -3.0}, {.step = 2, .change = 4.0}}), std::sqrt(12.5));
  EXPECT_EQ(rms_change_of({}), std::nullopt);
}

TEST(ImpactEstimate, ComesNearTheTruthFromOneStep) {
  Truth truth(1);
  double worst = 0.0;
  for (int i = 0; i < 100; ++i) {
    worst = std::max(worst, std::abs(std::log(*estimate_of(truth.steps(2.0, {1.0})) / 2.0)));
  }
  EXPECT_LT(worst, 0.3);
}

TEST(ImpactEstimate, OfAGroupAddsUpInEachStep) {
  Steps group{{.step = 1, .change = 1.0, .square = 9.0}, {.step = 2, .change = -1.0, .square = 1.0}};
  add_steps(group, Steps{{.step = 2, .change = 3.0, .square = 8.0}, {.step = 3, .change = 7.0, .square = 7.0}});
  EXPECT_EQ(group, (Steps{{.step = 2, .change = 2.0, .square = 9.0}})) << "of steps that both have";
  add_steps(group, Steps{{.step = 2, .change = 1.0}});
  EXPECT_EQ(group, (Steps{{.step = 2, .change = 3.0}})) << "a part without E leaves none";
}

TEST(ImpactEstimate, ChecksItselfAgainstTheSignedChanges) {
  Truth truth(2);
  const auto batches = truth.batches(2000);
  EXPECT_NEAR(*self_check_of(truth.steps(1.0, batches)), 1.0, 0.15) << "independent roundings";
  EXPECT_EQ(self_check_of({}), std::nullopt);
  EXPECT_EQ(self_check_of(with_sizes({0.0})), std::nullopt);
  Steps saturated = truth.steps(1.0, {1.0, 1.0});
  for (StepImpact& step : saturated) step.change = 11.0;  // all roundings have the same sign
  EXPECT_GT(*self_check_of(saturated), kLargestSelfCheck);
}

TEST(ImpactInterval, HoldsTheTruth) {
  Truth truth(3);
  for (const int steps : {2, 4, 16}) {
    int held = 0;
    constexpr int kTrials = 400;
    for (int i = 0; i < kTrials; ++i) {
      const double size = std::exp(0.3 * 0.3);  // root mean square of the batches' factors
      const auto interval = interval_of(truth.steps(1.0, truth.batches(steps)));
      held += interval && interval->low <= size && size <= interval->high ? 1 : 0;
    }
    EXPECT_GE(held, 0.85 * kTrials) << steps << " steps";
  }
}

TEST(ImpactInterval, ComesToThatOfTheModelErrorWhereStepsDoNotDiffer) {
  const auto interval = interval_of(with_sizes(std::vector<double>(100'000, 2.0)));
  EXPECT_NEAR(interval.value().low, 2.0 * std::exp(-1.6448536269514722 * kModelError), 1e-4);
  EXPECT_NEAR(interval.value().high, 2.0 * std::exp(1.6448536269514722 * kModelError), 1e-4);
  EXPECT_EQ(interval_of(with_sizes({0.0, 0.0})), std::nullopt);
}

TEST(ImpactInterval, OfOneStepIsThatOfTheExpectedScatter) {
  const auto interval = interval_of(with_sizes({2.0}));
  const double sampling = student_quantile_95(kDegreesOfStepScatter) * kStepScatter;
  EXPECT_NEAR(std::log(interval.value().high / 2.0), std::hypot(sampling, 1.6448536269514722 * kModelError), 1e-12);
  EXPECT_DOUBLE_EQ(interval->low * interval->high, 4.0);
}

TEST(ImpactInterval, IsNotWidenedByAStepThatDoesNextToNothing) {
  const auto interval = interval_of(with_sizes({1e-9, 1.0}));
  EXPECT_LT(interval.value().high, 4.0) << "Adam's first step and another";
  EXPECT_GT(interval->high, 1.0);
}

TEST(ImpactMean, IsResolvedFromTwoStandardErrorsOn) {
  const auto resolved = [](const std::vector<double>& changes) {
    Steps steps;
    for (const double change : changes) steps.push_back({.step = 1, .change = change});
    return is_resolved(steps);
  };
  EXPECT_EQ(resolved({1.0, 1.1, 0.9}), true);
  EXPECT_EQ(resolved({-1.0, -1.1, -0.9}), true);
  EXPECT_EQ(resolved({1.0, -1.1, 0.9}), false);
  EXPECT_EQ(resolved({1.0, 3.0}), true) << "2 is two standard errors of 1";
  EXPECT_EQ(resolved({1.0}), std::nullopt);
}

TEST(ImpactRatio, OfTheSameStepsIsFreeOfTheNoiseOfBatches) {
  const Steps a = with_sizes({2.0, 20.0, 0.2, 200.0});
  const Steps b = with_sizes({1.0, 10.0, 0.1, 100.0});
  const auto ratio = size_ratio(a, b);
  EXPECT_NEAR(ratio.value().log, std::log(2.0), 1e-12);
  EXPECT_NEAR(ratio->sampling, 0.0, 1e-12);
  EXPECT_EQ(ratio->degrees, 3);
  EXPECT_TRUE(ratio->is_surely_above_one());
  EXPECT_FALSE(size_ratio(b, a)->is_surely_above_one());
}

TEST(ImpactRatio, OfOneStepRestsOnTheModelErrorAlone) {
  EXPECT_TRUE(size_ratio(with_sizes({1.5}), with_sizes({1.0}))->is_surely_above_one());
  EXPECT_FALSE(size_ratio(with_sizes({1.3}), with_sizes({1.0}))->is_surely_above_one());
}

TEST(ImpactRatio, OfStepsApartCountsTheSpreadOfBoth) {
  Steps later = with_sizes({1.0, 3.0, 9.0});
  for (StepImpact& step : later) step.step += 100;
  const auto ratio = size_ratio(later, with_sizes({1.0, 1.0, 1.0}));
  EXPECT_NEAR(ratio.value().log, std::log(3.0), 1e-12);
  EXPECT_NEAR(ratio->sampling, std::log(3.0) / std::sqrt(3.0), 1e-12);
  EXPECT_EQ(size_ratio(later, {}), std::nullopt);
  EXPECT_EQ(size_ratio(with_sizes({0.0}), with_sizes({1.0})), std::nullopt);
}

TEST(ImpactRatio, RarelyTellsEqualsApart) {
  Truth truth(4);
  int told_apart = 0;
  for (int i = 0; i < 300; ++i) {
    const auto batches = truth.batches(4);
    told_apart += size_ratio(truth.steps(1.0, batches), truth.steps(1.0, batches))->is_surely_above_one() ? 1 : 0;
  }
  EXPECT_LE(told_apart, 15);
}

TEST(ImpactOrder, IsACoinBetweenEqualsAndCertainFarApart) {
  const std::vector<UncertainSize> one{{.log = 0.0}};
  const std::vector<UncertainSize> larger{{.log = 3.0}};
  EXPECT_NEAR(probability_of_being_largest(one, one), 0.5, 1e-6);
  EXPECT_NEAR(probability_of_being_largest(larger, one), 1.0, 1e-6);
  EXPECT_NEAR(probability_of_being_largest(one, larger), 0.0, 1e-6);
  EXPECT_EQ(probability_of_being_largest({}, one), 1.0);
  EXPECT_EQ(probability_of_being_largest(one, {}), 1.0);
}

TEST(ImpactOrder, IsThatOfIndependentNormals) {
  // P(a > b) = P(a - b > 0). The difference of the two normals has mean 0.2 and standard deviation 0.25.
  const std::vector<UncertainSize> a{{.log = 1.2, .deviation = 0.15}};
  const std::vector<UncertainSize> b{{.log = 1.0, .deviation = 0.2}};
  EXPECT_NEAR(probability_of_being_largest(a, b), 0.5 * std::erfc(-0.8 / std::sqrt(2.0)), 1e-5);
  // Each of three equal errors is the largest with the same probability.
  const std::vector<UncertainSize> two(2);
  EXPECT_NEAR(probability_of_being_largest(std::vector<UncertainSize>(1), two), 1.0 / 3.0, 1e-5);
  EXPECT_NEAR(probability_of_being_largest(two, std::vector<UncertainSize>(1)), 1.0 / 3.0, 1e-5);
}

TEST(StudentQuantile, IsThatOfTables) {
  EXPECT_NEAR(student_quantile_95(1), 6.314, 0.001);
  EXPECT_NEAR(student_quantile_95(2), 2.920, 0.001);
  EXPECT_NEAR(student_quantile_95(3), 2.353, 0.007);
  EXPECT_NEAR(student_quantile_95(10), 1.812, 0.001);
  EXPECT_NEAR(student_quantile_95(100), 1.660, 0.001);
  EXPECT_EQ(student_quantile_95(0), std::numeric_limits<double>::infinity());
}

}  // namespace impact_estimate_test
}  // namespace ampprof
