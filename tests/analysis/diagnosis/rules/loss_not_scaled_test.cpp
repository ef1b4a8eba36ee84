// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace loss_not_scaled_test {

TEST(LossNotScaled, IsWhatTheRecorderNoted) {
  ReportRows rows = one_run();
  EXPECT_TRUE(kinds(rows).empty());
  queries::MissingRow& row = rows.missing.emplace_back();
  row.run = 1;
  row.missing.what = kUnscaledLoss;
  EXPECT_EQ(kinds(rows), std::vector<std::string>{"loss_not_scaled"});
  row.run = 2;
  EXPECT_TRUE(kinds(rows).empty()) << "another run's";
}

}  // namespace loss_not_scaled_test
}  // namespace ampprof::analysis::rules_test
