// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace lost_average_test {

TEST(LostAverage, IsWrittenOutsideOfTheOptimizer) {
  ReportRows rows = one_run();
  add_drift(rows, DriftRole::State, Phase::Inference, DriftClass::Lost, 0.9);
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"lost_average"});
  EXPECT_NE(diagnose(rows)[0].remedies.at(0).text.find("average in FP32"), std::string::npos);
}

TEST(LostAverage, IsNoneOfOptimizerState) {
  ReportRows rows = one_run();
  add_drift(rows, DriftRole::State, Phase::Optimizer, DriftClass::Lost, 0.9);
  EXPECT_EQ(kinds(rows), std::vector<std::string>{"lost_optimizer_state"});
}

}  // namespace lost_average_test
}  // namespace ampprof::analysis::rules_test
