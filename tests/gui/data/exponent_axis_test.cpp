// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/exponent_axis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ampprof::gui {
namespace exponent_axis_test {

constexpr double kLeft = 100;
constexpr double kCell = 10;
const ExponentAxis kAxis(kLeft, kCell* ExponentAxis::kCells);

/// Returns the cell of the axis in which `value` is counted.
int cell_of(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  ExponentHistogram histogram;
  ++histogram.counts[ExponentHistogram::bin_of(exponent)];
  const ExponentAxis::Counts counts = ExponentAxis::countsOf(histogram);
  return static_cast<int>(std::ranges::find(counts, 1) - counts.begin());
}

TEST(ExponentAxis, FillsItsWidthWithCells) {
  EXPECT_EQ(kAxis.cell(0).left, kLeft);
  for (int cell = 1; cell < ExponentAxis::kCells; ++cell) {
    EXPECT_EQ(kAxis.cell(cell).left, kAxis.cell(cell - 1).right);
  }
  EXPECT_EQ(kAxis.cell(ExponentAxis::kCells - 1).right, kLeft + 660);
}

TEST(ExponentAxis, FindsTheCellUnderAPoint) {
  for (int cell = 0; cell < ExponentAxis::kCells; ++cell) {
    EXPECT_EQ(kAxis.cellAt(kAxis.cell(cell).left), cell);
    EXPECT_EQ(kAxis.cellAt(kAxis.cell(cell).right - 0.1), cell);
  }
  EXPECT_EQ(kAxis.cellAt(kLeft - 0.1), std::nullopt);
  EXPECT_EQ(kAxis.cellAt(kLeft + 660), std::nullopt);
  EXPECT_EQ(ExponentAxis(0, 0).cellAt(0), std::nullopt) << "a column without width";
}

TEST(ExponentAxis, CountsValuesBetweenThePowersTheyLieBetween) {
  for (int power = ExponentAxis::kLowest; power < ExponentAxis::kHighest; ++power) {
    for (const double value : {std::ldexp(1.0, power), std::ldexp(1.75, power)}) {
      const ExponentAxis::Span cell = kAxis.cell(cell_of(value));
      EXPECT_EQ(cell.left, kAxis.x(power)) << power;
      EXPECT_EQ(cell.right, kAxis.x(power + 1)) << power;
    }
  }
}

TEST(ExponentAxis, CountsWhatIsBeyondAtItsEnds) {
  for (const double tiny : {0x1p-41, 0x1p-65, 0x1p-1000}) EXPECT_EQ(cell_of(tiny), 0) << tiny;
  for (const double huge : {0x1p24, 0x1p31, 0x1p1000}) EXPECT_EQ(cell_of(huge), ExponentAxis::kCells - 1) << huge;
}

TEST(ExponentAxis, LosesNoValue) {
  ExponentHistogram histogram;
  std::iota(histogram.counts.begin(), histogram.counts.end(), 1);
  const ExponentAxis::Counts counts = ExponentAxis::countsOf(histogram);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), histogram.total());
  const ExponentAxis::Shares shares = ExponentAxis::sharesOf(counts);
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1.0, 1e-12) << "66 roundings";
  EXPECT_EQ(ExponentAxis::sharesOf({}), ExponentAxis::Shares{});
}

TEST(ExponentAxis, NamesCells) {
  EXPECT_EQ(ExponentAxis::textOf(0), "below 2^-40");
  EXPECT_EQ(ExponentAxis::textOf(cell_of(1.5)), "2^0 to 2^1");
  EXPECT_EQ(ExponentAxis::textOf(ExponentAxis::kCells - 1), "2^24 and above");
  ExponentAxis::Counts counts{};
  counts[1] = 3;
  counts[2] = 9;
  EXPECT_EQ(ExponentAxis::textOf(1, counts), "2^-40 to 2^-39: 25 % of the values, 3");
}

struct Limits {
  const char* name;
  double smallest_subnormal, smallest_normal, largest;
};

void PrintTo(const Limits& limits, std::ostream* out) { *out << limits.name; }

class Windows : public testing::TestWithParam<Limits> {};

/// The window of a format spans the cells from its smallest subnormal to its largest value.
TEST_P(Windows, HoldTheLargestAndTheSmallestValue) {
  const auto& [name, subnormal, normal, largest] = GetParam();
  const auto format = std::ranges::find(kFormats, std::string_view(name), &FloatFormat::name);
  ASSERT_NE(format, kFormats.end());
  const ExponentAxis::Window window = kAxis.window(*format);
  EXPECT_EQ(window.subnormal.left, kAxis.cell(cell_of(subnormal)).left);
  EXPECT_EQ(window.subnormal.right, kAxis.cell(cell_of(normal)).left);
  EXPECT_EQ(window.normal.left, window.subnormal.right);
  EXPECT_GT(window.normal.right, kAxis.cell(cell_of(largest)).left);
  EXPECT_LT(window.normal.right, kAxis.cell(cell_of(largest)).right) << "the largest value is not a power of two";
  EXPECT_FALSE(window.is_cut_left);
  EXPECT_FALSE(window.is_cut_right);
}

INSTANTIATE_TEST_SUITE_P(Formats, Windows,
                         testing::Values(Limits{"FP16", 0x1p-24, 0x1p-14, 65504}, Limits{"E4M3", 0x1p-9, 0x1p-6, 448},
                                         Limits{"E5M2", 0x1p-16, 0x1p-14, 57344}),
                         [](const auto& info) { return info.param.name; });

TEST(Windows, OfBf16GoBeyondTheAxis) {
  const ExponentAxis::Window window = kAxis.window(kFormats[1]);
  EXPECT_TRUE(window.is_cut_left);
  EXPECT_TRUE(window.is_cut_right);
  EXPECT_EQ(window.normal, (ExponentAxis::Span{kLeft, kLeft + 660}));
  EXPECT_EQ(window.subnormal.width(), 0);
}

TEST(HeatOfShare, IsLogarithmic) {
  EXPECT_EQ(heatOfShare(1.0), 1.0);
  EXPECT_NEAR(heatOfShare(1e-3), 0.5, 1e-12);
  EXPECT_EQ(heatOfShare(1e-9), 0.0);
  EXPECT_TRUE(std::isnan(heatOfShare(0.0))) << "without a value there is no heat";
}

}  // namespace exponent_axis_test
}  // namespace ampprof::gui
