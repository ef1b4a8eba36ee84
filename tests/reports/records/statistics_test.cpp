// SPDX-License-Identifier: Apache-2.0
#include "reports/records/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace ampprof {
namespace statistics_test {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

struct Pair {
  double output;
  double reference;
};

ErrorStats error_of(const Pair& pair) {
  const auto [y, r] = pair;
  if (!std::isfinite(r)) return {.excluded = 1};
  if (!std::isfinite(y)) return {.excluded = 1, .infinite = 1, .max_abs = kInf, .max_ulp = kInf};
  const double error = std::abs(y - r);
  return {.count = 1,
          .flushed = r != 0 && y == 0 ? 1 : 0,
          .max_abs = error,
          .max_ulp = 2 * error,
          .sum_ulp = 2 * error,
          .sum_sq_error = error * error,
          .sum_sq_reference = r * r,
          .sum_sq_output = y * y,
          .sum_product = y * r};
}

RangeStats ranges_of(const Pair& pair) {
  const auto [y, r] = pair;
  const bool finite = std::isfinite(y);
  return {.count = 1,
          .nonfinite = finite ? 0 : 1,
          .amax = finite ? std::abs(y) : 0.0,
          .smallest = finite ? std::abs(y) : 0.0,
          .reference_amax = std::abs(r),
          .rounds_to_inf = std::abs(r) >= 65520 ? 1 : 0,
          .subnormal = r != 0 && std::abs(r) < 0x1p-14 ? 1 : 0,
          .rounds_to_zero = r != 0 && std::abs(r) <= 0x1p-25 ? 1 : 0};
}

// Values with exact sums, so that sums can be compared with ==.
const std::vector<Pair> kPairs{{1, 2}, {0, 4}, {kInf, 65536}, {5, 5}, {-3, 3}, {kNan, 1}, {0, 0x1p-26}, {0.5, -0.25}};

template <typename Stats>
Stats pooled(Stats (*stats_of)(const Pair&), std::size_t from, std::size_t to) {
  Stats stats;
  for (std::size_t i = from; i < to; ++i) stats.merge(stats_of(kPairs[i]));
  return stats;
}

class StatisticsSplit : public testing::TestWithParam<std::size_t> {};

TEST_P(StatisticsSplit, MergedPartsEqualTheWhole) {
  const std::size_t split = GetParam();
  ErrorStats error = pooled(error_of, 0, split);
  error.merge(pooled(error_of, split, kPairs.size()));
  EXPECT_EQ(error, pooled(error_of, 0, kPairs.size()));

  RangeStats ranges = pooled(ranges_of, 0, split);
  ranges.merge(pooled(ranges_of, split, kPairs.size()));
  EXPECT_EQ(ranges, pooled(ranges_of, 0, kPairs.size()));
}

TEST_P(StatisticsSplit, OrderDoesNotMatter) {
  const std::size_t split = GetParam();
  ErrorStats error = pooled(error_of, split, kPairs.size());
  error.merge(pooled(error_of, 0, split));
  EXPECT_EQ(error, pooled(error_of, 0, kPairs.size()));

  RangeStats ranges = pooled(ranges_of, split, kPairs.size());
  ranges.merge(pooled(ranges_of, 0, split));
  EXPECT_EQ(ranges, pooled(ranges_of, 0, kPairs.size()));
}

INSTANTIATE_TEST_SUITE_P(AtEveryPlace, StatisticsSplit, testing::Range<std::size_t>(0, 9));

TEST(ErrorStats, TheWholeIsWhatTheDefinitionSays) {
  const ErrorStats all = pooled(error_of, 0, kPairs.size());
  EXPECT_EQ(all.count, 6);
  EXPECT_EQ(all.excluded, 2);
  EXPECT_EQ(all.flushed, 2);
  EXPECT_EQ(all.infinite, 2);
  EXPECT_EQ(all.max_abs, kInf);
  EXPECT_EQ(all.sum_ulp, 2 * (1 + 4 + 0 + 6 + 0x1p-26 + 0.75));
}

TEST(ErrorStats, AValueThatShouldBeFiniteMakesEveryFigureInfinite) {
  ErrorStats error = error_of({1, 2});
  EXPECT_LT(error.relative_l2(), 1);
  error.merge(error_of({kInf, 65536}));
  EXPECT_EQ(error.relative_l2(), kInf);
  EXPECT_EQ(error.mean_ulp(), kInf);
  EXPECT_EQ(error.cosine(), 0.0);
  EXPECT_EQ(error.sum_sq_error, 1.0) << "it is counted, never summed";
}

TEST(ErrorStats, AReferenceThatIsNotFiniteDoesNotCountAsAnError) {
  EXPECT_EQ(error_of({kNan, kNan}).relative_l2(), 0.0);
  EXPECT_EQ(error_of({kInf, kInf}).infinite, 0);
}

TEST(RangeStats, TheWholeIsWhatTheDefinitionSays) {
  const RangeStats all = pooled(ranges_of, 0, kPairs.size());
  EXPECT_EQ(all.count, 8);
  EXPECT_EQ(all.nonfinite, 2);
  EXPECT_EQ(all.amax, 5.0);
  EXPECT_EQ(all.smallest, 0.5) << "zeros are not the smallest";
  EXPECT_EQ(all.reference_amax, 65536.0);
  EXPECT_EQ(all.rounds_to_inf, 1);
  EXPECT_EQ(all.subnormal, 1);
  EXPECT_EQ(all.rounds_to_zero, 1);
}

TEST(RangeStats, WithoutValuesThereIsNoSmallest) {
  RangeStats none;
  none.merge({});
  EXPECT_EQ(none, RangeStats{});
}

TEST(Statistics, CountsStayAtTheirLargest) {
  ErrorStats error{.count = kLargest, .excluded = -kLargest};
  error.merge({.count = 1, .excluded = -kLargest});
  EXPECT_EQ(error.count, kLargest);
  EXPECT_EQ(error.excluded, std::numeric_limits<std::int64_t>::min());
}

TEST(Statistics, ANanCannotHide) {
  ErrorStats first{.max_abs = kNan};
  first.merge({.max_abs = 1});
  ErrorStats second{.max_abs = 1};
  second.merge({.max_abs = kNan});
  EXPECT_TRUE(std::isnan(first.max_abs));
  EXPECT_TRUE(std::isnan(second.max_abs));
}

struct Norms {
  const char* name;
  double error;
  double reference;
  double output;
  double product;
  double relative_l2;
  double cosine;
};

void PrintTo(const Norms& norms, std::ostream* out) { *out << norms.name; }

class ErrorStatsNorms : public testing::TestWithParam<Norms> {};

TEST_P(ErrorStatsNorms, GiveRelativeL2AndCosine) {
  const Norms& n = GetParam();
  const ErrorStats stats{
      .sum_sq_error = n.error, .sum_sq_reference = n.reference, .sum_sq_output = n.output, .sum_product = n.product};
  EXPECT_DOUBLE_EQ(stats.relative_l2(), n.relative_l2);
  EXPECT_DOUBLE_EQ(stats.cosine(), n.cosine);
}

INSTANTIATE_TEST_SUITE_P(ErrorStats, ErrorStatsNorms,
                         testing::Values(Norms{"nothing", 0, 0, 0, 0, 0, 1},      //
                                         Norms{"equal", 0, 4, 4, 4, 0, 1},        //
                                         Norms{"opposite", 16, 4, 4, -4, 2, -1},  //
                                         Norms{"flushed", 4, 4, 0, 0, 1, 0},      //
                                         Norms{"from_zero", 9, 0, 9, 0, 2, 0},
                                         Norms{"from_nearly_zero", 9, 1e-30, 9, 0, 2, 0},
                                         Norms{"opposite_and_half", 9, 1, 4, -2, 3, -1},
                                         Norms{"quotient_of_squares_too_small", 1e-300, 1e300, 1e300, 1e300, 1e-300, 1},
                                         Norms{"rounded_above_one", 0, 3, 3, std::nextafter(3.0, 4.0), 0, 1},
                                         Norms{"error_too_large", kInf, 4, 4, 4, kInf, 1}),
                         [](const auto& info) { return info.param.name; });

TEST(ErrorStats, RelativeErrorsAreAtMostThreeAndUsualBelowOne) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 1000; ++i) {
    const double scale = std::exp(4 * normal(random));
    ErrorStats error;
    for (int k = 0; k < 4; ++k) {
      const double r = scale * normal(random);
      error.merge(error_of({normal(random), r}));
    }
    EXPECT_GE(error.relative_l2(), 0.0);
    EXPECT_LE(error.relative_l2(), 3.0);
    const double usual = std::sqrt(error.sum_sq_error / error.sum_sq_reference);
    if (usual < 1) {
      EXPECT_DOUBLE_EQ(error.relative_l2(), usual);
    }
  }
}

TEST(ErrorStats, ANanComesThrough) {
  const ErrorStats stats{.sum_sq_error = kNan, .sum_sq_reference = 1, .sum_sq_output = 1, .sum_product = kNan};
  EXPECT_TRUE(std::isnan(stats.relative_l2()));
  EXPECT_TRUE(std::isnan(stats.cosine()));
}

TEST(ErrorStats, MeanUlpIsPerPair) {
  EXPECT_EQ((ErrorStats{.count = 4, .sum_ulp = 6}.mean_ulp()), 1.5);
  EXPECT_EQ(ErrorStats{}.mean_ulp(), 0.0);
}

}  // namespace statistics_test
}  // namespace ampprof
