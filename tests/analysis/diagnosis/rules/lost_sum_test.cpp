// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace lost_sum_test {

TEST(LostSum, OfALogCostsLittle) {
  ReportRows rows = one_run();
  add_drift(rows, DriftRole::Tensor, Phase::Forward, DriftClass::Biased, 0.0).bias = -0.15;
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"lost_sum"});
  EXPECT_NEAR(diagnose(rows)[0].cost, 0.015, 1e-12);
  EXPECT_NE(diagnose(rows)[0].consequence.find("A log of the sum is wrong"), std::string::npos);
}

TEST(LostSum, OfAModuleCostsAll) {
  ReportRows rows = one_run();
  add_drift(rows, DriftRole::Tensor, Phase::Forward, DriftClass::Biased, 0.0).bias = -0.15;
  rows.drifts[0].module = "bn";
  EXPECT_DOUBLE_EQ(found(rows, "lost_sum").at(0).cost, 0.15);
}

TEST(LostSum, IsNoneWhereItGrows) {
  ReportRows rows = one_run();
  add_drift(rows, DriftRole::Tensor, Phase::Forward, DriftClass::Fine, 0.0);
  EXPECT_TRUE(kinds(rows).empty());
}

}  // namespace lost_sum_test
}  // namespace ampprof::analysis::rules_test
