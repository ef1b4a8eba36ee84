// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/diagnose.h"

#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis {
namespace diagnose_test {

using namespace rules_test;

TEST(Diagnose, FindsNothingInARunWithoutFaults) { EXPECT_TRUE(diagnose(one_run()).empty()); }

TEST(Diagnose, PutsTheCostliestFirst) {
  ReportRows rows = one_run();
  const queries::OpRow log = add_op(rows, Phase::Forward, "", "sum");
  const queries::OpRow gram = add_op(rows, Phase::Forward, "gram", "bmm");
  add_events(rows, log, too_large(NonfiniteOutcome::Loss), {1, 2, 3});
  add_events(rows, gram, too_large(NonfiniteOutcome::Skipped), {4, 5});
  const auto findings = diagnose(rows);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].culprit.module, "gram");
}

TEST(Diagnose, JoinsTheSameFindingOfSeveralRuns) {
  ReportRows rows = one_run();
  rows.runs.push_back(rows.runs[0]);
  rows.runs[1].run = 2;
  const queries::OpRow op = add_op(rows, Phase::Forward, "gram", "bmm");
  add_events(rows, op, too_large(NonfiniteOutcome::Skipped), {1});
  rows.events.push_back(rows.events[0]);
  rows.events.push_back(rows.events[0]);
  rows.events[1].run = rows.events[2].run = 2;
  rows.events[2].step = 2;
  const auto findings = diagnose(rows);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].runs, (std::vector<std::int64_t>{1, 2}));
  EXPECT_DOUBLE_EQ(findings[0].cost, 0.2) << "of the run that it costs more";
}

}  // namespace diagnose_test
}  // namespace ampprof::analysis
