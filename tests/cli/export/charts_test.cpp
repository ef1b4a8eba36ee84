// SPDX-License-Identifier: Apache-2.0
#include "cli/export/charts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ampprof::cli {
namespace charts_test {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
const ChartOptions kOptions{.title = "Loss", .x_title = "step"};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(LineChart, IsNothingWithoutALine) {
  EXPECT_EQ(line_chart({}, kOptions), "");
  EXPECT_EQ(line_chart({{"O0", {{1, 2}}}}, kOptions), "") << "one point does not make a line";
}

TEST(LineChart, SpansItsValues) {
  const std::string svg = line_chart({{"O0", {{1, 0}, {2, 10}, {3, 5}}}}, kOptions);
  EXPECT_TRUE(holds(svg, "d=\"M58.0,210.0h0L263.0,12.0L468.0,111.0\"")) << svg;
}

TEST(LineChart, LeavesAGapAndTellsOfIt) {
  const std::string svg = line_chart({{"O3", {{1, 1}, {2, 2}, {3, kNan}, {4, 2}, {5, INFINITY}}}}, kOptions);
  EXPECT_TRUE(holds(svg, "O3: no finite value in 2 steps, first in step 3.")) << svg;
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(LineChart, OfNothingButNanContainsNoNan) {
  const std::string svg = line_chart({{"O3", {{1, kNan}, {2, kNan}}}}, kOptions);
  EXPECT_TRUE(holds(svg, "no finite value in 2 steps"));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(LineChart, KeepsThePeaksOfALongLine) {
  Series series{"O0", {}};
  for (int i = 0; i < 100'000; ++i) series.points.emplace_back(i, i == 54'321 ? 100.0 : 0.0);
  const std::string svg = line_chart({series}, kOptions);
  EXPECT_LT(svg.size(), 30'000u);
  EXPECT_TRUE(holds(svg, ",12.0L")) << "the peak touches the top";
}

TEST(LineChart, HoldsAValueUntilTheNextByPowersOfTwo) {
  ChartOptions options = kOptions;
  options.log2 = options.steps = true;
  const std::string svg = line_chart({{"O1", {{1, 65536}, {2, 65536}, {3, 32768}, {4, 0}}}}, options);
  EXPECT_TRUE(holds(svg, "H263.0V12.0H468.0V210.0") || holds(svg, "V12.0H")) << svg;
  EXPECT_TRUE(holds(svg, ">16</tspan>")) << svg;
}

TEST(LineChart, EscapesNames) {
  EXPECT_EQ(line_chart({{"<b>", {{1, 1}, {2, 2}}}}, kOptions).find("<b>"), std::string::npos);
}

TEST(LineChart, SurvivesAnyRange) {
  constexpr double kMost = std::numeric_limits<double>::max();
  for (const auto& [low, high] : {std::pair{-kMost, kMost}, {0.0, 5e-324}, {1e300, 1e300}, {1.0, 1.0 + 1e-15}}) {
    const std::string svg = line_chart({{"O0", {{1, low}, {2, high}}}}, kOptions);
    EXPECT_LT(svg.size(), 20'000u) << low << ' ' << high;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
  }
}

}  // namespace charts_test
}  // namespace ampprof::cli
