// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/scaler.h"

namespace ampprof::analysis::rules_test {
namespace loss_scale_grows_too_often_test {

/// Loss scales of steps 1 to 10. The scale doubles after two steps, and the step at the doubled scale overflows.
const std::vector<double> kGrowing{65536, 65536, 131072, 65536, 65536, 131072, 65536, 65536, 131072, 65536};

TEST(LossScaleGrowsTooOften, IsFoundWhereTheScaleHadGrownBefore) {
  const ReportRows rows = run_with_scales(kGrowing, {3, 6, 9});
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"loss_scale_grows_too_often"});
  const Finding finding = diagnose(rows)[0];
  EXPECT_DOUBLE_EQ(finding.cost, 0.3);
  EXPECT_EQ(finding.consequence, "The update of 3 of 10 steps is skipped.");
  EXPECT_EQ(finding.remedies.at(0).code, "GradScaler(growth_interval=2000)");
  EXPECT_EQ(finding.remedies.at(0).word, "no_scale_growth");
}

TEST(LossScaleGrowsTooOften, IsNoneOfTheScaleThatTheScalerBeginsWith) {
  const ReportRows rows =
      run_with_scales({262144, 131072, 65536, 32768, 32768, 32768, 32768, 32768, 65536, 65536}, {1, 2, 3});
  EXPECT_EQ(kinds(rows), std::vector<std::string>{"loss_scale_too_large"});
}

TEST(LossScaleGrowsTooOften, IsNoneOfAFewSteps) { EXPECT_TRUE(kinds(run_with_scales(kGrowing, {3, 6})).empty()); }

}  // namespace loss_scale_grows_too_often_test
}  // namespace ampprof::analysis::rules_test
