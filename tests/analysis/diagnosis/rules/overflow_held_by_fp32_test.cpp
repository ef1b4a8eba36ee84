// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace overflow_held_by_fp32_test {

TEST(OverflowHeldByFp32, NamesTheFunctionThatAPolicyReaches) {
  ReportRows rows = one_run();
  const queries::OpRow op = add_op(rows, Phase::Forward, "style.gram", "bmm");
  add_events(rows, op, too_large(NonfiniteOutcome::Skipped, 106536.0), {1, 2, 3, 4, 5});
  const auto findings = found(rows, "overflow_held_by_fp32");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].culprit.source, op.source);
  EXPECT_DOUBLE_EQ(findings[0].cost, 0.5);
  EXPECT_NE(findings[0].mechanism.find("107k"), std::string::npos) << findings[0].mechanism;
  EXPECT_NE(findings[0].consequence.find("5 of 10 steps"), std::string::npos) << findings[0].consequence;
  EXPECT_EQ(findings[0].remedies.at(0).code, "bmm fp32");
}

TEST(OverflowHeldByFp32, NamesTheModuleIfTheFunctionIsCalledElsewhereToo) {
  ReportRows rows = one_run();
  add_op(rows, Phase::Backward, "", "bmm");
  const queries::OpRow op = add_op(rows, Phase::Forward, "style.gram", "bmm");
  add_events(rows, op, too_large(NonfiniteOutcome::Skipped, 106536.0), {1});
  EXPECT_EQ(found(rows, "overflow_held_by_fp32").at(0).remedies.at(0).code, "bmm fp32") << "backward follows forward";
  add_op(rows, Phase::Forward, "attention", "bmm");
  EXPECT_EQ(found(rows, "overflow_held_by_fp32").at(0).remedies.at(0).code, "bmm fp32 in style.gram");
}

TEST(OverflowHeldByFp32, NamesTheLineOutsideOfAutocast) {
  ReportRows rows = one_run();
  rows.runs[0].casts = 0;
  const queries::OpRow op = add_op(rows, Phase::Forward, "", "pow.Tensor_Scalar");
  add_events(rows, op, too_large(NonfiniteOutcome::Gradient), {1});
  EXPECT_EQ(found(rows, "overflow_held_by_fp32").at(0).remedies.at(0).code, "");
  EXPECT_NE(found(rows, "overflow_held_by_fp32")[0].remedies[0].text.find("train.py:1"), std::string::npos);
}

TEST(OverflowHeldByFp32, IsNoFindingWhereItsMaskAgreesWithExactArithmetic) {
  ReportRows rows = one_run();
  const queries::OpRow op = add_op(rows, Phase::Forward, "attn", "add.Tensor");
  queries::OpRow& softmax = add_op(rows, Phase::Forward, "attn", "softmax.int");
  softmax.inherited = with_error(1e-3);
  queries::EventRow event = too_large(NonfiniteOutcome::Masked);
  event.outcome_op = softmax.call_site;
  add_events(rows, op, event, {1, 2});
  EXPECT_TRUE(kinds(rows).empty());
  rows.ops[1].inherited = with_error(1.0);
  EXPECT_EQ(kinds(rows), std::vector<std::string>{"overflow_held_by_fp32"}) << "what the mask makes of it is wrong";
}

TEST(OverflowHeldByFp32, OfALossAloneCostsLittle) {
  ReportRows rows = one_run();
  const queries::OpRow op = add_op(rows, Phase::Forward, "", "sum");
  add_events(rows, op, too_large(NonfiniteOutcome::Loss), {3, 6});
  EXPECT_DOUBLE_EQ(found(rows, "overflow_held_by_fp32").at(0).cost, 0.02);
}

}  // namespace overflow_held_by_fp32_test
}  // namespace ampprof::analysis::rules_test
