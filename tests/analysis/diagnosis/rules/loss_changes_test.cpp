// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace loss_changes_test {

ReportRows changing(double change) {
  ReportRows rows = one_run();
  rows.runs[0].loss_change = change;
  for (const char* op : {"exp", "linear"}) {
    add_op(rows, Phase::Forward, "net", op).loss_impact_size = op == std::string("exp") ? 0.1 : 0.01;
  }
  return rows;
}

TEST(LossChanges, NameTheLargestImpact) {
  const ReportRows rows = changing(-0.2);
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"loss_changes"});
  EXPECT_EQ(diagnose(rows)[0].culprit.op, "exp");
  EXPECT_DOUBLE_EQ(diagnose(rows)[0].cost, 0.2);
}

TEST(LossChanges, AreNoneOfAFewPerCent) { EXPECT_TRUE(kinds(changing(0.03)).empty()); }

TEST(LossChanges, AreLeftToWhatExplainsThem) {
  ReportRows rows = changing(-0.2);
  queries::MissingRow& note = rows.missing.emplace_back();
  note.run = 1;
  note.missing.what = kUnscaledLoss;
  EXPECT_EQ(kinds(rows), std::vector<std::string>{"loss_not_scaled"});
}

}  // namespace loss_changes_test
}  // namespace ampprof::analysis::rules_test
