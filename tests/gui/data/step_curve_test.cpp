// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/step_curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reports/queries/site_steps.h"

namespace ampprof::gui {
namespace step_curve_test {

const QRectF kArea(10, 20, 100, 50);
constexpr double kInf = std::numeric_limits<double>::infinity();

ErrorStats error_of(double relative) {
  return {.count = 1, .sum_sq_error = relative * relative, .sum_sq_reference = 1};
}

queries::SiteStepRow row(std::int64_t step, std::optional<double> local, std::optional<double> inherited = {}) {
  queries::SiteStepRow row;
  row.step = step;
  if (local) row.local = error_of(*local);
  if (inherited) row.inherited = error_of(*inherited);
  return row;
}

TEST(StepCurve, GoesFromTheFirstStepToTheLast) {
  const StepCurve curve({row(5, 0.5), row(15, 0.5), row(25, 0.5)}, kArea);
  EXPECT_EQ(curve.x(5), 10);
  EXPECT_EQ(curve.x(15), 60);
  EXPECT_EQ(curve.x(25), 110);
  EXPECT_EQ(StepCurve({row(5, 0.5)}, kArea).x(5), 60) << "one alone is in the middle";
}

TEST(StepCurve, HasWholeDecadesThatHoldAllErrors) {
  const StepCurve curve({row(1, 0.002), row(2, 0.04, 0.7)}, kArea);
  EXPECT_EQ(curve.lowestDecade(), -3);
  EXPECT_EQ(curve.highestDecade(), 0);
  EXPECT_EQ(curve.y(1), 20);
  EXPECT_NEAR(curve.y(1e-3), 70, 1e-9);
  EXPECT_NEAR(curve.y(std::sqrt(1e-3)), 45, 1e-9) << "halfway in decades";
  EXPECT_EQ(curve.y(0), 70);
}

TEST(StepCurve, HasOneDecadeAtLeast) {
  const StepCurve same({row(1, 0.01), row(2, 0.01)}, kArea);
  EXPECT_EQ(same.highestDecade(), same.lowestDecade() + 1);
  const StepCurve zero({row(1, 0.0)}, kArea);
  EXPECT_EQ(zero.local().front().front().y(), kArea.bottom());
}

TEST(StepCurve, IsInPiecesWhereNothingWasMeasured) {
  const StepCurve curve({row(1, 0.1), row(2, 0.1), row(3, {}), row(4, 0.1)}, kArea);
  ASSERT_EQ(curve.local().size(), 2u);
  EXPECT_EQ(curve.local()[0].size(), 2u);
  EXPECT_EQ(curve.local()[1].size(), 1u);
  EXPECT_TRUE(curve.inherited().empty());
  EXPECT_TRUE(curve.overflows().empty());
}

TEST(StepCurve, MarksOverflows) {
  queries::SiteStepRow with_nan = row(2, 0.1);
  with_nan.nonfinite_calls = 1;
  const StepCurve curve({row(1, 0.1), with_nan, row(3, 0.1, kInf), row(4, 0.1)}, kArea);
  EXPECT_EQ(curve.overflows(), (std::vector<double>{curve.x(2), curve.x(3)}));
  EXPECT_EQ(curve.highestDecade(), 0) << "an infinite error has no decade";
}

TEST(StepCurve, IsEmptyWithoutErrors) {
  EXPECT_TRUE(StepCurve().isEmpty());
  EXPECT_TRUE(StepCurve({}, kArea).isEmpty());
  EXPECT_TRUE(StepCurve({row(1, {}), row(2, {})}, kArea).isEmpty());
  EXPECT_FALSE(StepCurve({row(1, 0.1)}, kArea).isEmpty());
}

TEST(StepCurve, FindsTheStepUnderAPoint) {
  const std::vector<queries::SiteStepRow> rows{row(1, 0.1), row(2, 0.1), row(11, 0.1)};
  EXPECT_EQ(StepCurve::nearest(rows, kArea, 0).step, 1);
  EXPECT_EQ(StepCurve::nearest(rows, kArea, 19).step, 2);
  EXPECT_EQ(StepCurve::nearest(rows, kArea, 999).step, 11);
}

}  // namespace step_curve_test
}  // namespace ampprof::gui
