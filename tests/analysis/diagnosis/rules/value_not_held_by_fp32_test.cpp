// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string_view>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace value_not_held_by_fp32_test {

TEST(ValueNotHeldByFp32, AsksForAGuard) {
  ReportRows rows = one_run();
  const queries::OpRow op = add_op(rows, Phase::Forward, "", "log");
  queries::EventRow event = too_large(NonfiniteOutcome::Loss);
  event.cause = NonfiniteCause::LogOfZero;
  event.fp32_holds = event.shadow_holds = false;
  add_events(rows, op, event, {2});
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"value_not_held_by_fp32"});
  EXPECT_NE(diagnose(rows)[0].remedies.at(0).text.find("clamp(min=eps)"), std::string::npos);
}

TEST(ValueNotHeldByFp32, AsksForExactValuesIfTheyAreUnknown) {
  for (const char* flags : {"--impact", "--impact --inherited"}) {
    ReportRows rows = one_run();
    rows.runs[0].flags = flags;
    const queries::OpRow op = add_op(rows, Phase::Forward, "", "log");
    queries::EventRow event = too_large(NonfiniteOutcome::Loss);
    event.fp32_holds = false;
    event.shadow_holds.reset();
    add_events(rows, op, event, {2});
    const auto findings = diagnose(rows);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].remedies.size(), std::string_view(flags) == "--impact" ? 2u : 1u) << flags;
  }
}

TEST(ValueNotHeldByFp32, SaysWhichInputsAreInfinite) {
  const auto mechanism = [](NonfiniteCause cause) {
    ReportRows rows = one_run();
    const queries::OpRow op = add_op(rows, Phase::Forward, "", "softmax");
    queries::EventRow event = too_large(NonfiniteOutcome::Loss);
    event.cause = cause;
    event.fp32_holds = event.shadow_holds = false;
    add_events(rows, op, event, {2});
    return diagnose(rows).at(0).mechanism;
  };
  EXPECT_NE(mechanism(NonfiniteCause::AllMasked).find("from rows that are -inf throughout (all masked)."),
            std::string::npos);
  EXPECT_NE(mechanism(NonfiniteCause::InfMinusInf).find("that the program set to infinity (inf - inf)."),
            std::string::npos);
  EXPECT_NE(mechanism(NonfiniteCause::DivisionByZero).find("from finite inputs (division by 0)."), std::string::npos);
}

TEST(ValueNotHeldByFp32, IsNotReportedWithoutAnEffect) {
  ReportRows rows = one_run();
  const queries::OpRow op = add_op(rows, Phase::Forward, "", "log");
  queries::EventRow event = too_large(NonfiniteOutcome::Nothing);
  event.fp32_holds = false;
  add_events(rows, op, event, {2});
  EXPECT_TRUE(kinds(rows).empty());
}

}  // namespace value_not_held_by_fp32_test
}  // namespace ampprof::analysis::rules_test
