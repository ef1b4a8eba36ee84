// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace lost_updates_test {

/// Returns a run recorded with `--inherited`.
ReportRows one_followed_run() {
  ReportRows rows = one_run();
  add_op(rows, Phase::Forward, "fc", "linear").inherited = with_error(1e-3);
  return rows;
}

TEST(LostUpdates, AdviseMasterWeights) {
  ReportRows rows = one_followed_run();
  add_drift(rows, DriftRole::Parameter, Phase::Optimizer, DriftClass::Lost, 0.875);
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"lost_updates"});
  EXPECT_DOUBLE_EQ(diagnose(rows)[0].cost, 0.875);
  EXPECT_NE(diagnose(rows)[0].remedies.at(0).text.find("FP32 master weights"), std::string::npos);
}

TEST(LostUpdates, AreNoneWhereTheyArriveLater) {
  for (const DriftClass verdict : {DriftClass::Compensated, DriftClass::Unbiased, DriftClass::Inherited}) {
    ReportRows rows = one_followed_run();
    add_drift(rows, DriftRole::Parameter, Phase::Optimizer, verdict, 0.9);
    EXPECT_TRUE(kinds(rows).empty()) << name_of(verdict);
  }
}

TEST(LostUpdates, OfFp32AreNone) {
  ReportRows rows = one_followed_run();
  add_drift(rows, DriftRole::Parameter, Phase::Optimizer, DriftClass::Lost, 0.9).dtype = DType::Float;
  EXPECT_TRUE(kinds(rows).empty());
}

TEST(LostUpdates, WithoutDriftArePossible) {
  ReportRows rows = one_run();
  queries::UpdateRow& update = rows.updates.emplace_back();
  update.run = 1;
  update.total = {.parameter = "fc.weight", .dtype = DType::BFloat16, .count = 100, .lost = 90};
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"lost_updates"});
  EXPECT_EQ(diagnose(rows)[0].confidence, Confidence::Possible);
  EXPECT_NE(diagnose(rows)[0].remedies.at(0).text.find("--inherited"), std::string::npos);
  rows.updates[0].total.lost = 20;
  EXPECT_TRUE(kinds(rows).empty());
}

TEST(LostUpdates, OfACopyOfMasterWeightsAreNone) {
  ReportRows rows = one_run();
  queries::UpdateRow& update = rows.updates.emplace_back();
  update.run = 1;
  update.total = {.parameter = "fc.weight", .dtype = DType::Half, .count = 100, .lost = 90};
  update.has_master = true;
  EXPECT_TRUE(kinds(rows).empty());
  update.has_master = false;
  EXPECT_EQ(kinds(rows), std::vector<std::string>{"lost_updates"});
}

}  // namespace lost_updates_test
}  // namespace ampprof::analysis::rules_test
