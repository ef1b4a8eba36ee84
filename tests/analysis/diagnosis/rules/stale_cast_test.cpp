// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace stale_cast_test {

TEST(StaleCast, IsOneFindingForAllParameters) {
  ReportRows rows = one_run();
  for (const char* parameter : {"0.weight", "0.bias"}) {
    queries::StaleCastRow& row = rows.stale_casts.emplace_back();
    row.run = 1;
    row.call_site = "0/linear";
    row.source = "train.py:37";
    row.hits = 7;
    row.steps_old = 7;
    row.total.parameter = parameter;
    row.total.sum_sq_change = 0.25;
    row.total.sum_sq_cast = 1.0;
  }
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"stale_cast"});
  const Finding finding = diagnose(rows)[0];
  EXPECT_NE(finding.mechanism.find("0.weight and 0.bias that it made up to 7 steps earlier"), std::string::npos);
  EXPECT_EQ(finding.consequence, "14 calls used old values, off by up to 50%.");
  EXPECT_DOUBLE_EQ(finding.cost, 0.5);
}

TEST(StaleCast, IsNoneWhereCastsAreFresh) { EXPECT_TRUE(kinds(one_run()).empty()); }

}  // namespace stale_cast_test
}  // namespace ampprof::analysis::rules_test
