// SPDX-License-Identifier: Apache-2.0
#include "analysis/search/metric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ampprof::search {
namespace metric_test {

TEST(Metric, IsAWordOrAnExpression) {
  EXPECT_EQ(metric_from("loss", false).kind, MetricKind::FinalLoss);
  EXPECT_EQ(metric_from("overflows", false).kind, MetricKind::OverflowRate);
  EXPECT_EQ(metric_from("dice ([0-9.]+)", true),
            (Metric{.kind = MetricKind::Output, .expression = "dice ([0-9.]+)", .higher = true}));
  for (const char* text : {"loss", "overflows", "dice ([0-9.]+)"}) EXPECT_EQ(name_of(metric_from(text, false)), text);
}

TEST(Metric, SaysWhatIsWrongWithAnExpression) {
  EXPECT_EQ(fault_of(metric_from("dice (.*)", true)), "");
  EXPECT_EQ(fault_of(metric_from("loss", false)), "");
  EXPECT_EQ(fault_of(metric_from("dice", true)), "has no group in parentheses for the number");
  EXPECT_EQ(fault_of(metric_from("dice (", true)), "is not a regular expression: missing ): dice (");
}

TEST(Metric, IsTheLastNumberThatIsPrinted) {
  const Metric metric = metric_from("accuracy ([^ \n]+)", true);
  EXPECT_EQ(number_in_output(metric, "epoch 1 accuracy 0.5\nepoch 2 accuracy 0.75 done\n"), 0.75);
  EXPECT_EQ(number_in_output(metric, "accuracy 1e-3\naccuracy none\n"), 1e-3) << "other text does not count";
  EXPECT_EQ(number_in_output(metric, "accuracy +2"), 2.0);
  EXPECT_TRUE(std::isnan(*number_in_output(metric, "accuracy nan")));
  EXPECT_EQ(number_in_output(metric, "nothing"), std::nullopt);
  EXPECT_EQ(number_in_output(metric_from("([0-9]*)", true), "x12x"), 12.0) << "empty matches end";
  EXPECT_EQ(number_in_output(metric_from("(", true), "x"), std::nullopt);
}

TEST(Metric, IsBetterLowerByDefault) {
  EXPECT_EQ(worse_by({}, 3, 2), 1);
  EXPECT_EQ(worse_by({.higher = true}, 3, 2), -1);
}

TEST(ToleranceSpec, IsAShareOrAbsolute) {
  EXPECT_EQ(tolerance_spec_from("2%")->share, 0.02);
  EXPECT_FALSE(tolerance_spec_from("2%")->absolute);
  EXPECT_EQ(tolerance_spec_from("0.3")->absolute, 0.3);
  EXPECT_EQ(tolerance_spec_from("0")->absolute, 0.0);
  for (const char* text : {"", "%", "-1", "two", "nan", "inf", "1 %", "1e999"})
    EXPECT_FALSE(tolerance_spec_from(text)) << text;
}

TEST(Tolerance, IsWhatWasAskedFor) {
  const std::vector<double> losses{-2.0, -2.0};
  EXPECT_EQ(tolerance_of({.share = 0.1}, {}, losses, 9.0), 0.2) << "of its size";
  EXPECT_EQ(tolerance_of({.absolute = 0.5}, {}, losses, 9.0), 0.5);
}

TEST(Tolerance, WithinNoiseIsTwoStandardDeviationsAndAPercentAtLeast) {
  EXPECT_DOUBLE_EQ(tolerance_of({}, {}, std::vector{9.0, 10.0, 11.0}, std::nullopt), 2.0);
  EXPECT_DOUBLE_EQ(tolerance_of({}, {}, std::vector{10.0}, std::nullopt), 0.1);
  EXPECT_DOUBLE_EQ(tolerance_of({}, {}, std::vector{10.0}, 0.3), 0.6);
  EXPECT_DOUBLE_EQ(tolerance_of({}, {.kind = MetricKind::OverflowRate}, std::vector{0.0, 0.0}, std::nullopt), 0.01)
      << "of all steps";
}

}  // namespace metric_test
}  // namespace ampprof::search
