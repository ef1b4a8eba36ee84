// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace optimizer_constant_test {

queries::EventRow division() {
  queries::EventRow event = too_large(NonfiniteOutcome::Weight);
  event.cause = NonfiniteCause::DivisionByZero;
  event.fp32_holds = false;
  event.reached = "emb.weight";
  return event;
}

TEST(OptimizerConstant, IsTheAdditionThatIsFlushed) {
  ReportRows rows = one_run();
  add_op(rows, Phase::Optimizer, "", "add_.Tensor").local = with_error(0.0, 60);
  const queries::OpRow divides = add_op(rows, Phase::Optimizer, "emb", "addcdiv_");
  add_events(rows, divides, division(), {1});
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"optimizer_constant"});
  const Finding finding = diagnose(rows)[0];
  EXPECT_EQ(finding.culprit.op, "add_.Tensor");
  EXPECT_EQ(finding.cost, 1.0);
  EXPECT_EQ(finding.remedies.at(0).code, "eps=1e-4");
}

TEST(OptimizerConstant, IsNoneOfADivisionInTheForwardPass) {
  ReportRows rows = one_run();
  const queries::OpRow divides = add_op(rows, Phase::Forward, "norm", "div.Tensor");
  add_events(rows, divides, division(), {1});
  EXPECT_EQ(kinds(rows), std::vector<std::string>{"cause_upstream"});
}

}  // namespace optimizer_constant_test
}  // namespace ampprof::analysis::rules_test
