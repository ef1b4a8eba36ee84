// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/loss_curves.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ampprof::gui {
namespace loss_curves_test {

using Steps = std::vector<queries::StepValue>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(LossBand, SpansTheRanksOfEachStep) {
  const LossBand band = bandOf({{{1, 4.0}, {2, 2.0}}, {{1, 8.0}, {2, 1.0}, {3, 5.0}}, {{1, 6.0}, {2, 3.0}}}, "O1");
  EXPECT_EQ(band.name, "O1");
  EXPECT_EQ(band.median, (Steps{{1, 6.0}, {2, 2.0}, {3, 5.0}}));
  EXPECT_EQ(band.least, (Steps{{1, 4.0}, {2, 1.0}, {3, 5.0}}));
  EXPECT_EQ(band.largest, (Steps{{1, 8.0}, {2, 3.0}, {3, 5.0}}));
}

TEST(LossBand, TakesALossThatIsNotFiniteForTheLargest) {
  const LossBand band =
      bandOf({{{1, 4.0}, {2, 1.0}, {3, kNan}}, {{1, kInf}, {2, kNan}, {3, kNan}}, {{1, 2.0}, {2, kInf}}}, "");
  EXPECT_EQ(band.median.at(0).value, 4.0);
  EXPECT_EQ(band.largest.at(0).value, 4.0) << "of the finite ones";
  EXPECT_TRUE(std::isnan(band.median.at(1).value)) << "most have none";
  EXPECT_EQ(band.least.at(1).value, 1.0);
  EXPECT_TRUE(std::isnan(band.least.at(2).value));
  EXPECT_TRUE(std::isnan(band.largest.at(2).value));
}

TEST(LossBand, OfNothingHasNoStep) { EXPECT_TRUE(bandOf({}, "").median.empty()); }

}  // namespace loss_curves_test
}  // namespace ampprof::gui
