// SPDX-License-Identifier: Apache-2.0
#include "analysis/recipes/recipe_times.h"

#include <gtest/gtest.h>

#include "reports/queries/recipes.h"

namespace ampprof::analysis {
namespace recipe_times_test {

using advice::kDgrad;
using advice::kFprop;
using advice::kWgrad;
using queries::RecipeMatmulRow;

RecipeMatmulRow computed(Matmul matmul, std::vector<std::int64_t> by, std::int64_t run = 1) {
  RecipeMatmulRow row;
  row.run = run;
  row.matmul = matmul;
  row.computed_by = std::move(by);
  return row;
}

advice::RecipeLayer timed(const std::vector<RecipeMatmulRow>& rows, const Bf16Times& times) {
  std::vector<const RecipeMatmulRow*> all;
  for (const RecipeMatmulRow& row : rows) all.push_back(&row);
  advice::RecipeLayer layer;
  put_times(layer, all, times);
  return layer;
}

using Times = std::map<std::string, double>;

TEST(RecipeTimes, AreThoseOfTheCallsThatComputeAMatmul) {
  const auto layer = timed({computed(Matmul::Fprop, {1}), computed(Matmul::Dgrad, {2}), computed(Matmul::Wgrad, {3})},
                           {{{1, 1}, 10.0}, {{1, 2}, 20.0}, {{2, 3}, 30.0}});
  EXPECT_EQ(layer.measured_us[kFprop], (Times{{"bf16", 10.0}}));
  EXPECT_EQ(layer.measured_us[kDgrad], (Times{{"bf16", 20.0}}));
  EXPECT_EQ(layer.measured_us[kWgrad], Times{}) << "timed in another run";
}

TEST(RecipeTimes, AreTheMeanWhereSeveralCallsComputeIt) {
  const Bf16Times times{{{1, 1}, 10.0}, {{1, 2}, 20.0}};
  EXPECT_EQ(timed({computed(Matmul::Wgrad, {1, 2})}, times).measured_us[kWgrad], (Times{{"bf16", 15.0}}));
  EXPECT_EQ(timed({computed(Matmul::Wgrad, {1, 3})}, times).measured_us[kWgrad], Times{}) << "not all were timed";
}

TEST(RecipeTimes, AreNotKnownOfACallThatComputesTwo) {
  const Bf16Times times{{{1, 1}, 10.0}, {{1, 2}, 20.0}};
  const auto convolution =
      timed({computed(Matmul::Fprop, {1}), computed(Matmul::Dgrad, {2}), computed(Matmul::Wgrad, {2})}, times);
  EXPECT_EQ(convolution.measured_us[kFprop], (Times{{"bf16", 10.0}}));
  EXPECT_EQ(convolution.measured_us[kDgrad], Times{});
  EXPECT_EQ(convolution.measured_us[kWgrad], Times{});
}

TEST(RecipeTimes, CountOnceWhereTwoRecipesHaveARowEach) {
  const auto layer = timed({computed(Matmul::Fprop, {1}), computed(Matmul::Fprop, {1})}, {{{1, 1}, 10.0}});
  EXPECT_EQ(layer.measured_us[kFprop], (Times{{"bf16", 10.0}}));
}

}  // namespace recipe_times_test
}  // namespace ampprof::analysis
