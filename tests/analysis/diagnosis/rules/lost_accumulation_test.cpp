// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace lost_accumulation_test {

TEST(LostAccumulation, IsOfGradients) {
  ReportRows rows = one_run();
  add_drift(rows, DriftRole::Gradient, Phase::Backward, DriftClass::Lost, 1.0);
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"lost_accumulation"});
  EXPECT_DOUBLE_EQ(diagnose(rows)[0].cost, 1.0);
}

TEST(LostAccumulation, IsNoneOfFewMicroBatches) {
  ReportRows rows = one_run();
  add_drift(rows, DriftRole::Gradient, Phase::Backward, DriftClass::Short, 0.0);
  EXPECT_TRUE(kinds(rows).empty());
}

}  // namespace lost_accumulation_test
}  // namespace ampprof::analysis::rules_test
