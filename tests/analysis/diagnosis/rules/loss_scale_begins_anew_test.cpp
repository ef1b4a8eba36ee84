// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/scaler.h"

namespace ampprof::analysis::rules_test {
namespace loss_scale_begins_anew_test {

TEST(LossScaleBeginsAnew, IsFoundWhereTheScaleRisesWithoutGrowing) {
  const ReportRows rows =
      run_with_scales({131072, 65536, 32768, 131072, 65536, 32768, 131072, 65536, 32768, 32768}, {1, 2, 4, 5, 7, 8});
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"loss_scale_begins_anew"});
  const Finding finding = diagnose(rows)[0];
  EXPECT_NE(finding.mechanism.find("restarts at 131072"), std::string::npos) << finding.mechanism;
  EXPECT_DOUBLE_EQ(finding.cost, 0.6);
  EXPECT_EQ(finding.remedies.at(1).word, "init_scale=32768");
}

TEST(LossScaleBeginsAnew, IsNoneOfOneTrainingThatRunsAgain) {
  const ReportRows rows =
      run_with_scales({131072, 65536, 32768, 32768, 131072, 65536, 32768, 32768, 32768, 32768}, {1, 2, 5, 6});
  EXPECT_EQ(kinds(rows), std::vector<std::string>{"loss_scale_too_large"});
}

}  // namespace loss_scale_begins_anew_test
}  // namespace ampprof::analysis::rules_test
