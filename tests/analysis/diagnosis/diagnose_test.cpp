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

TEST(Diagnose, SaysOfRemediesWhatARunWithThemShowed) {
  ReportRows rows = one_run();
  queries::StaleCastRow stale;
  stale.run = 1;
  stale.hits = 4;
  stale.total.sum_sq_change = stale.total.sum_sq_cast = 1.0;
  rows.stale_casts.push_back(stale);
  rows.confirmations = {
      {.run = 1,
       .confirmation = {.kind = "stale_cast",
                        .remedy = "no_cast_cache",
                        .helped = true,
                        .outcome = "It is gone.",
                        .explains = "lost_sum,lost_average"}},
      {.run = 1, .confirmation = {.kind = "lost_sum", .remedy = "no_cast_cache", .outcome = "", .explains = ""}}};
  const auto findings = diagnose(rows);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].remedies[0].helped, true);
  EXPECT_EQ(findings[0].remedies[0].outcome, "It is gone.");
  EXPECT_EQ(findings[0].explains, (std::vector<std::string>{"lost_sum", "lost_average"}));
}

TEST(Diagnose, TellsTheWayFromTheCulpritToTheEffect) {
  ReportRows rows = one_run();
  add_op(rows, Phase::Optimizer, "", "add_.Tensor").local = with_error(0.0, 60);
  const queries::OpRow divides = add_op(rows, Phase::Optimizer, "emb", "addcdiv_");
  queries::EventRow event = too_large(NonfiniteOutcome::Weight);
  event.cause = NonfiniteCause::DivisionByZero;
  event.fp32_holds = false;
  event.reached = "emb.weight";
  add_events(rows, divides, event, {1});
  EXPECT_EQ(diagnose(rows).at(0).chain, (std::vector<std::string>{"/add_.Tensor", "emb/addcdiv_", "weight emb.weight"}));
}

TEST(Diagnose, PutsRefutedRemediesLast) {
  ReportRows rows = one_run();
  const queries::OpRow log = add_op(rows, Phase::Optimizer, "fc", "addcdiv_");
  queries::EventRow event = too_large(NonfiniteOutcome::Weight);
  event.cause = NonfiniteCause::DivisionByZero;
  event.fp32_holds = false;
  add_events(rows, log, event, {1});
  ASSERT_EQ(diagnose(rows).size(), 1u) << "optimizer_constant";
  rows.confirmations = {
      {.run = 1, .confirmation = {.kind = "optimizer_constant", .remedy = "eps=1e-4", .outcome = "", .explains = ""}}};
  const Finding finding = diagnose(rows).front();
  EXPECT_EQ(finding.remedies.front().trial(), "master_weights");
  EXPECT_EQ(finding.remedies.back().helped, false);
}

}  // namespace diagnose_test
}  // namespace ampprof::analysis
