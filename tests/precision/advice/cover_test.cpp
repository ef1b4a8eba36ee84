// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/cover.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <random>

namespace ampprof::advice {
namespace cover_test {

/// Returns a part that changes loss 0 by `mean` on average, with the given variance.
Effects part(double mean, double variance = 0.0) { return {{0, {mean, variance, mean * mean + variance}}}; }

struct Prediction {
  const char* name;
  std::vector<Effects> parts;
  double expected;
};

void PrintTo(const Prediction& row, std::ostream* out) { *out << row.name; }

class PredictedImpact : public testing::TestWithParam<Prediction> {};

TEST_P(PredictedImpact, IsTheLargerOfSignedAndIndependent) {
  Effects sum;
  for (const Effects& effects : GetParam().parts) add(sum, effects);
  EXPECT_DOUBLE_EQ(predicted_impact(sum), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Cover, PredictedImpact,
                         testing::Values(Prediction{"nothing", {}, 0}, Prediction{"one", {part(-3)}, 3},
                                         Prediction{"one_that_varies", {part(3, 16)}, 5},
                                         Prediction{"same_sign_adds", {part(3), part(4)}, 7},
                                         Prediction{"opposite_signs_do_not_cancel", {part(3), part(-4)}, 5},
                                         Prediction{"variances_add", {part(0, 9), part(0, 16)}, 5},
                                         Prediction{"means_add_before_variances", {part(3, 8), part(4, 24)}, 9},
                                         Prediction{"losses_add_in_squares", {{{0, {3, 0, 9}}, {1, {4, 0, 16}}}}, 5}),
                         [](const auto& info) { return info.param.name; });

struct Cover {
  const char* name;
  std::vector<Effects> parts;
  std::vector<std::size_t> mandatory;
  double goal;
  std::vector<std::size_t> expected;
  Effects rest = {};
};

void PrintTo(const Cover& row, std::ostream* out) { *out << row.name; }

class SmallestCover : public testing::TestWithParam<Cover> {};

TEST_P(SmallestCover, IsTheExpectedOne) {
  const Cover& row = GetParam();
  EXPECT_EQ(smallest_cover({row.parts, row.mandatory, row.rest, row.goal}), row.expected);
}

INSTANTIATE_TEST_SUITE_P(
    Cover, SmallestCover,
    testing::Values(Cover{"nothing_to_do", {part(1), part(2)}, {}, 3, {}},
                    Cover{"the_largest", {part(1), part(8), part(2)}, {}, 4, {1}},
                    Cover{"of_equal_numbers_the_one_that_leaves_least", {part(4), part(5)}, {}, 6, {1}},
                    Cover{"of_equals_the_first", {part(4), part(4)}, {}, 6, {0}},
                    Cover{"mandatory_ones_without_effect", {part(0), part(1)}, {0}, 1, {0}},
                    Cover{"mandatory_ones_count", {part(8), part(8), part(1)}, {0}, 2, {0, 1}},
                    Cover{"all", {part(1), part(1)}, {}, 0, {0, 1}},
                    Cover{"not_those_whose_effect_cancels_another", {part(4), part(-4), part(1)}, {}, 1.5, {0, 1}},
                    Cover{"near_what_can_be_reached", {part(1), part(1), part(100)}, {}, 0, {2}, part(100)},
                    Cover{"no_parts", {}, {}, 0, {}, part(1)}),
    [](const auto& info) { return info.param.name; });

double left_by(const CoverTask& task, unsigned taken) {
  Effects effects = task.rest;
  for (std::size_t i = 0; i < task.parts.size(); ++i) {
    if ((taken >> i & 1) == 0) add(effects, task.parts[i]);
  }
  return predicted_impact(effects);
}

// The numbers are integers, so that sums are exact.
CoverTask random_task(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  CoverTask task;
  for (int parts = 1 + below(9); parts > 0; --parts) {
    Effects effects;
    for (int loss = below(2); loss >= 0; --loss) add(effects, {{loss, part(below(41) - 20, below(50)).at(0)}});
    task.parts.push_back(effects);
  }
  for (std::size_t i = 0; i < task.parts.size(); ++i) {
    if (below(8) == 0) task.mandatory.push_back(i);
  }
  task.goal = below(60);
  return task;
}

TEST(SmallestCover, IsAsSmallAsTheBestOfAllSets) {
  std::mt19937 random(11);
  for (int round = 0; round < 500; ++round) {
    const CoverTask task = random_task(random);
    unsigned must = 0;
    for (const std::size_t place : task.mandatory) must |= 1U << place;
    int fewest = 99;
    double least = INFINITY;
    for (unsigned set = 0; set < 1U << task.parts.size(); ++set) {
      const int size = __builtin_popcount(set);
      const double left = left_by(task, set);
      if ((set & must) != must || left > task.goal || size > fewest) continue;
      least = size < fewest ? left : std::min(least, left);
      fewest = size;
    }
    unsigned found = 0;
    for (const std::size_t place : smallest_cover(task)) found |= 1U << place;
    ASSERT_EQ(found & must, must) << "round " << round;
    ASSERT_EQ(__builtin_popcount(found), fewest) << "round " << round;
    ASSERT_DOUBLE_EQ(left_by(task, found), least) << "round " << round;
  }
}

TEST(EffectOf, AnErrorIsItsMeanAndWhatVariesAroundIt) {
  EXPECT_EQ(effect_of(3, 5), (Effect{3, 16, 25}));
  EXPECT_EQ(effect_of(-3, 5), (Effect{-3, 16, 25}));
  EXPECT_EQ(effect_of(3, 2), (Effect{3, -5, 4})) << "the mean of few steps says less than the expected size";
  EXPECT_EQ(predicted_impact({{0, effect_of(3, 2)}}), 2.0);
}

// Alone, the third part reduces the impact most. The smallest cover consists of the first two.
TEST(SmallestCover, OfAHundredPartsIsExact) {
  const auto both = [](double first, double second) {
    return Effects{{0, {first, 0, first * first}}, {1, {second, 0, second * second}}};
  };
  CoverTask task{.parts = {both(10, 0), both(0, 10), both(7, 7)}, .goal = 9.95};
  task.parts.resize(100, both(0, 0));
  EXPECT_EQ(smallest_cover(task), (std::vector<std::size_t>{0, 1}));
}

// The cover takes 20 of 60 parts, which have more subsets than the solver enumerates.
TEST(SmallestCover, OfManyPartsTakesTheLargest) {
  CoverTask task{.parts = std::vector<Effects>(40, part(1)), .goal = 40};
  task.parts.resize(60, part(3));
  const auto found = smallest_cover(task);
  EXPECT_EQ(found.size(), 20u);
  EXPECT_EQ(found.front(), 40u);
}

// The cover takes 54 of 60 equal parts, which have far more subsets than the solver enumerates.
TEST(SmallestCover, OfManyPartsIsFoundOneByOne) {
  const CoverTask task{.parts = std::vector<Effects>(60, part(1)), .goal = 6};
  EXPECT_EQ(smallest_cover(task).size(), 54u);
}

}  // namespace cover_test
}  // namespace ampprof::advice
