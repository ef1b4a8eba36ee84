// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/rank_test.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace ampprof::compare {
namespace rank_test_test {

using Sample = std::vector<double>;

double p_of(const Sample& a, const Sample& b) { return RankTest().p(a, b); }

// Computes U by definition: the number of pairs in which the value of `a` is larger, plus half the number of ties.
double u_of(const Sample& a, const Sample& b) {
  double u = 0;
  for (const double x : a) {
    for (const double y : b) u += x > y ? 1 : x == y ? 0.5 : 0;
  }
  return u;
}

// Computes p by definition: the share of all choices of the first sample from the values whose U is as far from the
// mean or farther.
double p_by_definition(const Sample& a, const Sample& b) {
  Sample all = a;
  all.insert(all.end(), b.begin(), b.end());
  const double mean = static_cast<double>(a.size() * b.size()) / 2;
  const double distance = std::abs(u_of(a, b) - mean);
  double as_far = 0;
  double choices = 0;
  for (unsigned chosen = 0; chosen < (1u << all.size()); ++chosen) {
    if (static_cast<std::size_t>(std::popcount(chosen)) != a.size()) continue;
    Sample first;
    Sample second;
    for (std::size_t i = 0; i < all.size(); ++i) ((chosen >> i) & 1 ? first : second).push_back(all[i]);
    ++choices;
    as_far += std::abs(u_of(first, second) - mean) >= distance ? 1 : 0;
  }
  return as_far / choices;
}

TEST(RankTest, GivesThePOfTheTables) {
  // Without a difference, all C(n_a + n_b, n_a) orders of the values are equally likely.
  EXPECT_DOUBLE_EQ(p_of({1, 2, 3}, {4, 5, 6}), 2.0 / 20);
  EXPECT_DOUBLE_EQ(p_of({1, 2, 3, 4}, {5, 6, 7, 8}), 2.0 / 70);
  EXPECT_DOUBLE_EQ(p_of({5, 6, 7, 8}, {1, 2, 3, 4}), 2.0 / 70);
  EXPECT_DOUBLE_EQ(p_of({1, 2, 3, 5}, {4, 6, 7, 8}), 4.0 / 70);
  EXPECT_DOUBLE_EQ(p_of({1, 3, 5, 7}, {2, 4, 6, 8}), 48.0 / 70);
  EXPECT_DOUBLE_EQ(p_of({1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}), 2.0 / 252);
}

TEST(RankTest, AgreesWithItsDefinitionWithAndWithoutTies) {
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    const unsigned values = i % 2 == 0 ? 5 : 1000;  // few different values give many ties
    Sample a(1 + random() % 5);
    Sample b(1 + random() % 5);
    for (Sample* sample : {&a, &b}) {
      for (double& value : *sample) value = random() % values;
    }
    EXPECT_NEAR(p_of(a, b), p_by_definition(a, b), 1e-12) << testing::PrintToString(a) << testing::PrintToString(b);
  }
}

TEST(RankTest, SeesNoDifferenceInEqualValues) {
  EXPECT_EQ(p_of({3, 3, 3}, {3, 3, 3}), 1.0);
  EXPECT_EQ(p_of({}, {1}), 1.0);
  EXPECT_EQ(p_of({1}, {}), 1.0);
  EXPECT_EQ(p_of(Sample(30, 1.0), Sample(30, 1.0)), 1.0) << "the approximation has no variance";
}

TEST(RankTest, TakesInfinitiesAsValues) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(p_of({1, 2, 3, 4}, {infinity, infinity, infinity, infinity}), 2.0 / 70);
}

TEST(RankTest, IsCloseToTheExactPWhereItApproximates) {
  // p is exact for 20 values per side, approximate for 21. Both pairs of samples have the same shape, so p is nearly
  // equal.
  const auto shifted = [](std::size_t n, double shift) {
    Sample sample;
    for (std::size_t i = 0; i < n; ++i) sample.push_back(static_cast<double>(i) + shift);
    return sample;
  };
  const double exact = p_of(shifted(20, 0), shifted(20, 4.5));
  const double approximate = p_of(shifted(21, 0), shifted(21, 4.5));
  EXPECT_NEAR(exact, approximate, 0.005) << exact;
}

TEST(RankTest, IsExactUpToFortyValues) {
  Sample low(20);
  Sample high(20);
  std::iota(low.begin(), low.end(), 0);
  std::iota(high.begin(), high.end(), 20);
  EXPECT_NEAR(p_of(low, high) * 137846528820 / 2, 1, 1e-9) << "one of so many choices of 20 of 40, and its mirror";
}

TEST(RankTest, CorrectsItsApproximationForTiesAndContinuity) {
  // The expected p is that of U = 312.5 of 30 * 30 pairs, n = 60 values and seven groups of ties.
  Sample a;
  Sample b;
  for (int i = 0; i < 30; ++i) {
    a.push_back(i % 6);
    b.push_back(1 + i % 6);
  }
  EXPECT_NEAR(p_of(a, b), 0.040339601670613484, 1e-9);
  EXPECT_EQ(p_of(a, a), 1.0);
}

TEST(RankTest, IsRightAsOftenAsItSays) {
  // The test may find a difference between samples of one distribution in at most a share alpha of the trials.
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  RankTest test;
  int differ = 0;
  for (int i = 0; i < 4000; ++i) {
    Sample a(6);
    Sample b(6);
    for (double& value : a) value = normal(random);
    for (double& value : b) value = normal(random);
    differ += test.p(a, b) <= 0.05 ? 1 : 0;
  }
  EXPECT_GT(differ, 100);
  EXPECT_LT(differ, 240) << "0.041 of 4000 are 164; 6 standard deviations are 76";
}

TEST(SmallestP, IsThatOfSamplesThatDoNotOverlap) {
  EXPECT_DOUBLE_EQ(smallest_p(3, 3), 0.1);
  EXPECT_DOUBLE_EQ(smallest_p(4, 4), 2.0 / 70);
  EXPECT_DOUBLE_EQ(smallest_p(2, 8), 2.0 / 45);
  EXPECT_EQ(smallest_p(1, 1), 1.0);
  EXPECT_EQ(smallest_p(0, 3), 1.0);
  EXPECT_EQ(smallest_p(3, 0), 1.0);
}

}  // namespace rank_test_test
}  // namespace ampprof::compare
