// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace cause_upstream_test {

queries::EventRow root_of_negative() {
  queries::EventRow event = too_large(NonfiniteOutcome::Skipped);
  event.cause = NonfiniteCause::RootOfNegative;
  event.fp32_holds = false;
  return event;
}

TEST(CauseUpstream, IsTheFirstOpThatAmplifies) {
  ReportRows rows = one_run();
  add_op(rows, Phase::Forward, "norm", "mul.Tensor").inherited = with_error(1e-3);
  add_op(rows, Phase::Forward, "norm", "sub.Tensor").inherited = with_error(0.4);
  add_op(rows, Phase::Forward, "norm", "neg").inherited = with_error(0.4);
  const queries::OpRow root = add_op(rows, Phase::Forward, "norm", "sqrt");
  add_events(rows, root, root_of_negative(), {3, 5});
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"cause_upstream"});
  EXPECT_EQ(diagnose(rows)[0].culprit.op, "sub.Tensor");
  EXPECT_NE(diagnose(rows)[0].remedies.at(0).text.find("FP32 for norm/sqrt alone does not help"), std::string::npos);
}

TEST(CauseUpstream, IsAnInputThatWasFlushedToZero) {
  ReportRows rows = one_run();
  add_op(rows, Phase::Forward, "norm", "add.Tensor").local = ErrorStats{.count = 8, .flushed = 8};
  const queries::OpRow division = add_op(rows, Phase::Forward, "norm", "div.Tensor");
  queries::EventRow event = root_of_negative();
  event.cause = NonfiniteCause::DivisionByZero;
  add_events(rows, division, event, {3});
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"cause_upstream"});
  EXPECT_EQ(diagnose(rows)[0].culprit.op, "add.Tensor");
  EXPECT_EQ(diagnose(rows)[0].remedies.at(0).text,
            "Use a larger eps that the type can represent, or compute norm/div.Tensor and its inputs in FP32. FP32 for "
            "the op alone does not help, since its input is already 0.");
}

TEST(CauseUpstream, IsUnknownWhereNoOpBeforeAmplifies) {
  ReportRows rows = one_run();
  const queries::OpRow root = add_op(rows, Phase::Forward, "norm", "sqrt");
  add_op(rows, Phase::Forward, "norm", "div.Tensor").inherited = with_error(1.0);
  add_events(rows, root, root_of_negative(), {3});
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"cause_upstream"});
  EXPECT_EQ(diagnose(rows)[0].culprit.op, "sqrt") << "later ops are not the cause";
  EXPECT_EQ(diagnose(rows)[0].remedies.back().word, "fp32_module=norm") << "advise --confirm tries it";
}

TEST(CauseUpstream, IsNoneWhereExactInputsDoNotHelp) {
  ReportRows rows = one_run();
  const queries::OpRow root = add_op(rows, Phase::Forward, "norm", "sqrt");
  queries::EventRow event = root_of_negative();
  event.shadow_holds = false;
  add_events(rows, root, event, {3});
  EXPECT_EQ(kinds(rows), std::vector<std::string>{"value_not_held_by_fp32"});
}

}  // namespace cause_upstream_test
}  // namespace ampprof::analysis::rules_test
