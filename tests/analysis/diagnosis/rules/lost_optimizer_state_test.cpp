// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace lost_optimizer_state_test {

TEST(LostOptimizerState, CostsHalfOfWhatIsLost) {
  ReportRows rows = one_run();
  add_drift(rows, DriftRole::State, Phase::Optimizer, DriftClass::Biased, 0.0).bias = -0.4;
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"lost_optimizer_state"});
  EXPECT_DOUBLE_EQ(diagnose(rows)[0].cost, 0.2);
}

TEST(LostOptimizerState, IsNoneWhereErrorsCancel) {
  ReportRows rows = one_run();
  add_drift(rows, DriftRole::State, Phase::Optimizer, DriftClass::Unbiased, 0.0);
  EXPECT_TRUE(kinds(rows).empty());
}

}  // namespace lost_optimizer_state_test
}  // namespace ampprof::analysis::rules_test
