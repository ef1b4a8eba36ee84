// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/recipes/format_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace ampprof::advice {
namespace format_solver_test {

constexpr double kAnything = std::numeric_limits<double>::infinity();

using Places = std::vector<std::size_t>;

/// Finds the least time by trying all combinations.
std::optional<double> least_us(const FormatTask& task) {
  std::optional<double> least;
  Places choices(task.groups.size());
  while (true) {
    const Choice total = total_of(task.groups, choices);
    if (share_of(total, task.tolerances) <= 1.0 && (!least || total.us < *least)) least = total.us;
    std::size_t g = 0;
    while (g < choices.size() && ++choices[g] == task.groups[g].size()) choices[g++] = 0;
    if (g == choices.size()) return least;
  }
}

/// Draws realistic formats: the faster a format, the larger its loss impact. Some impacts are within their uncertainty,
/// and some reduce the loss.
class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  FormatTask task(std::size_t groups, std::size_t choices) {
    FormatTask task;
    for (std::size_t g = 0; g < groups; ++g) task.groups.push_back(group(choices));
    task.tolerances = {.loss = size() * static_cast<double>(groups), .gradient = size() * static_cast<double>(groups)};
    return task;
  }

 private:
  double size() { return std::exp(std::normal_distribution<double>(0.0, 1.0)(random_)); }
  double sign() { return std::uniform_real_distribution<double>(-1.0, 2.0)(random_); }

  ErrorCost error_cost(double scale) {
    const double mean = scale * size() * sign();
    const double square = scale * scale * size();
    return {mean, square * 0.3, mean * mean, square, 1.5 * square};
  }

  std::vector<Choice> group(std::size_t choices) {
    const double us = 100 * size();
    std::vector<Choice> group{{.us = us}};
    for (std::size_t i = 1; i < choices; ++i) {
      const double speed = std::uniform_real_distribution<double>(0.9, 4.0)(random_);
      group.push_back({us / speed, error_cost(speed / 4), error_cost(speed / 4)});
    }
    return group;
  }

  std::mt19937 random_;
};

TEST(FormatSolution, TakesNoMoreTimeThanAnyOtherWithinTheTolerances) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Draw draw(seed);
    const FormatTask task = draw.task(1 + seed % 5, 2 + seed % 7);
    const auto found = solve_formats(task);
    ASSERT_TRUE(found) << seed;
    EXPECT_TRUE(found->is_exact()) << seed;
    EXPECT_LE(share_of(found->total, task.tolerances), 1.0) << seed;
    EXPECT_NEAR(found->total.us, *least_us(task), 1e-9 * found->total.us) << seed;
  }
}

TEST(FormatSolution, AsksForOneFigureAlone) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    FormatTask task = Draw(seed).task(4, 5);
    (seed % 2 == 0 ? task.tolerances.loss : task.tolerances.gradient) = kAnything;
    EXPECT_NEAR(solve_formats(task)->total.us, *least_us(task), 1e-9 * *least_us(task)) << seed;
  }
}

TEST(FormatSolution, TakesTheFastestWhereNothingIsAsked) {
  FormatTask task = Draw(3).task(6, 4);
  task.tolerances = {kAnything, kAnything};
  double fastest = 0.0;
  for (const auto& group : task.groups) fastest += std::ranges::min(group, {}, &Choice::us).us;
  EXPECT_DOUBLE_EQ(solve_formats(task)->total.us, fastest);
}

TEST(FormatSolution, LeavesAllAsItIsAtNoTolerance) {
  FormatTask task = Draw(4).task(5, 4);
  task.tolerances = {0.0, 0.0};
  EXPECT_EQ(solve_formats(task)->choices, Places(5, 0));
}

TEST(FormatSolution, SaysThatNothingFits) {
  FormatTask task = Draw(5).task(2, 3);
  task.groups[0] = {{.us = 1.0, .loss = {.mean = 5.0, .mean_squares = 25.0}}};
  task.tolerances = {1.0, kAnything};
  EXPECT_FALSE(solve_formats(task));
}

TEST(FormatSolution, OfNothingTakesNoTime) {
  const auto nothing = solve_formats({});
  ASSERT_TRUE(nothing);
  EXPECT_EQ(nothing->total.us, 0.0);
}

TEST(FormatSolution, OfEqualTimesTakesTheLesserDamage) {
  const ErrorCost small{.mean = 0.1, .mean_squares = 0.01};
  const ErrorCost large{.mean = 0.2, .mean_squares = 0.04};
  const FormatTask task{.groups = {{{.us = 2.0}, {1.0, large, {}}, {1.0, small, {}}}}, .tolerances = {1.0, 1.0}};
  EXPECT_EQ(solve_formats(task)->choices, Places{2});
}

TEST(FormatSolution, TakesNoLongerWhereMoreIsAllowed) {
  FormatTask task = Draw(6).task(12, 9);
  const Tolerances all = task.tolerances;
  double before = kAnything;
  for (const double share : {0.0, 0.01, 0.05, 0.1, 0.3, 1.0, 3.0}) {
    task.tolerances = {all.loss * share, all.gradient * share};
    const auto found = solve_formats(task);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->is_exact()) << share;
    EXPECT_LE(found->total.us, before * (1 + 1e-12)) << share;
    before = found->total.us;
  }
}

TEST(FormatSolution, SaysHowFarItMayBeOffWhereNodesRunOut) {
  FormatTask task = Draw(7).task(60, 27);
  task.tolerances = {task.tolerances.loss / 20, task.tolerances.gradient / 20};
  task.most_nodes = 50;
  const auto found = solve_formats(task);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_exact());
  EXPECT_LE(share_of(found->total, task.tolerances), 1.0);
  EXPECT_GT(found->least_us, 0.0);
}

}  // namespace format_solver_test
}  // namespace ampprof::advice
