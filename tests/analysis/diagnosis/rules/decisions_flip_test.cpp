// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace decisions_flip_test {

ReportRows deciding(double change) {
  ReportRows rows = one_run();
  for (const std::int64_t id : {2, 1}) {
    queries::DecisionRow& row = rows.decisions.emplace_back();
    row.run = 1;
    row.call_site_id = id;
    row.call_site = id == 1 ? "moe/topk" : "moe/gt";
    row.op = id == 1 ? "topk" : "gt";
    row.decisions = 100;
    row.differing = 30;
  }
  for (const double sign : {1.0, -1.0}) {
    queries::LossRow& loss = rows.losses.emplace_back();
    loss.run = 1;
    loss.by_decisions = sign * change;
  }
  return rows;
}

TEST(DecisionsFlip, NameTheFirstThatDiffers) {
  const ReportRows rows = deciding(0.03);
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"decisions_flip"});
  EXPECT_EQ(diagnose(rows)[0].culprit.op, "topk");
  EXPECT_NEAR(diagnose(rows)[0].cost, 0.03, 1e-12) << "the root mean square, whatever the signs";
}

TEST(DecisionsFlip, AreNoneWhereTheyDoNotChangeTheLoss) { EXPECT_TRUE(kinds(deciding(1e-4)).empty()); }

/// Returns an inference run in which 30 of 100 results of an argmax, and `differing` of 100 results of a cast to
/// integers, differ from the reference.
ReportRows inferring(std::int64_t differing) {
  ReportRows rows = one_run();
  for (const char* op : {"argmax", "to.dtype"}) {
    queries::DecisionRow& row = rows.decisions.emplace_back();
    row.run = 1;
    row.call_site_id = std::ssize(rows.decisions);
    row.phase = Phase::Inference;
    row.op = op;
    row.decisions = 100;
    row.differing = row.op == "argmax" ? 30 : differing;
  }
  return rows;
}

TEST(DecisionsFlip, NameRoundedIntegersOfInference) {
  const ReportRows rows = inferring(66);
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"decisions_flip"});
  EXPECT_EQ(diagnose(rows)[0].culprit.op, "to.dtype");
}

TEST(DecisionsFlip, AreNoneOfNearTiesInInference) { EXPECT_TRUE(kinds(inferring(3)).empty()); }

}  // namespace decisions_flip_test
}  // namespace ampprof::analysis::rules_test
