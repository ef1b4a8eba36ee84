// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/error_grid.h"

#include <gtest/gtest.h>

namespace ampprof::gui {
namespace error_grid_test {

queries::StepError error(std::int64_t step, double ulp, std::int64_t nonfinite_calls = 0) {
  ErrorStats stats{.count = 8, .sum_ulp = 8 * ulp, .sum_sq_error = 1, .sum_sq_reference = 4, .sum_sq_output = 4};
  return {.step = step, .nonfinite_calls = nonfinite_calls, .local = stats};
}

queries::StepError infinite(std::int64_t step) {
  return {.step = step, .nonfinite_calls = 0, .local = ErrorStats{.count = 1, .excluded = 1, .infinite = 1}};
}

TEST(ErrorGrid, HasAColumnForEachRecordedStepWhereThereIsRoom) {
  const ErrorGrid grid({{"a", {error(10, 1), error(20, 2)}}, {"b", {error(20, 4), error(30, 8)}}}, 9,
                       ErrorGrid::Measure::Ulp);
  ASSERT_EQ(grid.rows(), 2);
  ASSERT_EQ(grid.columns(), 3) << "steps that were not recorded have none";
  EXPECT_EQ(grid.steps(1).first, 20);
  EXPECT_EQ(grid.steps(1).last, 20);
  EXPECT_EQ(grid.cell(0, 1).size, 2);
  EXPECT_EQ(grid.cell(0, 1).relative, 0.5);
  EXPECT_TRUE(grid.cell(0, 2).isEmpty());
  EXPECT_TRUE(grid.cell(1, 0).isEmpty());
  EXPECT_EQ(grid.cell(1, 2).size, 8);
}

TEST(ErrorGrid, ShowsTheWorstOfTheStepsThatShareAColumn) {
  std::vector<queries::StepError> errors;
  for (int step = 1; step <= 10; ++step) errors.push_back(error(step, step == 4 ? 64 : 1));
  const ErrorGrid grid({{"a", errors}}, 3, ErrorGrid::Measure::Ulp);
  ASSERT_EQ(grid.columns(), 3);
  EXPECT_EQ(grid.steps(0).first, 1);
  EXPECT_EQ(grid.steps(0).last, 3);
  EXPECT_EQ(grid.steps(1).first, 4);
  EXPECT_EQ(grid.steps(2).last, 10);
  EXPECT_EQ(grid.cell(0, 0).size, 1);
  EXPECT_EQ(grid.cell(0, 1).size, 64);
  EXPECT_EQ(grid.cell(0, 1).step, 4);
}

TEST(ErrorGrid, TellsTheFirstStepThatIsNotFinite) {
  const ErrorGrid grid({{"a", {error(1, 9), infinite(2), error(3, 99), infinite(4)}}, {"b", {error(1, 2, 1)}}}, 1,
                       ErrorGrid::Measure::Ulp);
  EXPECT_FALSE(grid.cell(0, 0).is_finite);
  EXPECT_EQ(grid.cell(0, 0).step, 2);
  EXPECT_EQ(grid.cell(0, 0).size, 99);
  EXPECT_FALSE(grid.cell(1, 0).is_finite) << "a NaN that was not expected";
  EXPECT_EQ(grid.cell(1, 0).step, 1);
}

TEST(ErrorGrid, HasAScaleOfWholeDecadesFromATenthUlpOn) {
  const ErrorGrid grid({{"a", {error(1, 0.001), error(2, 0.5), error(3, 300)}}}, 9, ErrorGrid::Measure::Ulp);
  EXPECT_EQ(grid.lowestDecade(), -1);
  EXPECT_EQ(grid.highestDecade(), 3);
  EXPECT_EQ(grid.heat(0.0), 0.0);
  EXPECT_EQ(grid.heat(0.001), 0.0);
  EXPECT_DOUBLE_EQ(grid.heat(10), 0.5);
  EXPECT_EQ(grid.heat(1e9), 1.0);
  const ErrorGrid same({{"a", {error(1, 10)}}}, 9, ErrorGrid::Measure::Ulp);
  EXPECT_EQ(same.highestDecade() - same.lowestDecade(), 1) << "a decade at least";
}

TEST(ErrorGrid, ComparesRelativeErrorsWhereTypesHaveNoUlp) {
  const ErrorGrid grid({{"a", {error(1, 1e6), error(2, 1e8)}}}, 9, ErrorGrid::Measure::Relative);
  EXPECT_EQ(grid.cell(0, 1).size, 0.5);
  EXPECT_EQ(grid.cell(0, 1).ulp, 1e8);
  EXPECT_EQ(grid.lowestDecade(), -1);
  EXPECT_EQ(grid.highestDecade(), 0);
}

TEST(ErrorGrid, LeavesOutWhatBelongsToNoStep) {
  const ErrorGrid grid({{"a", {error(0, 1e6), error(1, 2)}}}, 9, ErrorGrid::Measure::Ulp);
  ASSERT_EQ(grid.columns(), 1);
  EXPECT_EQ(grid.steps(0).first, 1);
  EXPECT_EQ(grid.cell(0, 0).size, 2);
}

TEST(ErrorGrid, IsEmptyWithoutCallSites) {
  const ErrorGrid grid({}, 0, ErrorGrid::Measure::Ulp);
  EXPECT_EQ(grid.rows(), 0);
  EXPECT_EQ(grid.columns(), 0);
}

}  // namespace error_grid_test
}  // namespace ampprof::gui
