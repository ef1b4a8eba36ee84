// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/event_groups.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "analysis/diagnosis/symptoms.h"
#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis {
namespace event_groups_test {

using namespace rules_test;

TEST(EventGroups, AreOfOneOriginAndJudgedByTheWorst) {
  ReportRows rows = one_run();
  const queries::OpRow op = add_op(rows, Phase::Forward, "attn", "add.Tensor");
  add_events(rows, op, too_large(NonfiniteOutcome::Nothing), {1, 2, 3});
  add_events(rows, op, too_large(NonfiniteOutcome::Skipped), {3, 4});
  const Symptoms symptoms(rows, rows.runs[0]);
  const auto groups = event_groups(symptoms);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].kind, EventKind::HeldByFp32);
  EXPECT_EQ(groups[0].worst->step, 3);
  EXPECT_EQ(groups[0].steps, 4) << "a step counts once";
  EXPECT_EQ(groups[0].skipped, 2);
}

TEST(EventGroups, CountTheStepsThatAnEventStandsFor) {
  ReportRows rows = one_run();
  const queries::OpRow op = add_op(rows, Phase::Forward, "", "sum");
  queries::EventRow event = too_large(NonfiniteOutcome::Gradient);
  event.steps = 5;
  add_events(rows, op, event, {1, 2});
  EXPECT_EQ(event_groups(Symptoms(rows, rows.runs[0])).at(0).steps, 10);
}

TEST(EventGroups, AreUnexplainedIfItIsUnknownWhetherFp32Holds) {
  ReportRows rows = one_run();
  const queries::OpRow op = add_op(rows, Phase::Forward, "", "sum");
  queries::EventRow event = too_large(NonfiniteOutcome::Gradient);
  event.fp32_holds.reset();
  add_events(rows, op, event, {1});
  EXPECT_EQ(event_groups(Symptoms(rows, rows.runs[0])).at(0).kind, EventKind::Unexplained);
}

TEST(EventGroups, SayHowLongTheLossStaysNonfinite) {
  for (const std::int64_t last : {3, 5}) {
    ReportRows rows = one_run();
    const queries::OpRow op = add_op(rows, Phase::Forward, "", "log");
    add_events(rows, op, too_large(NonfiniteOutcome::Loss), {3});
    for (std::int64_t step = 1; step <= 5; ++step) {
      const bool is_nan = step >= 3 && step <= last;
      rows.losses.push_back(
          {.run = 1, .level = "", .step = step, .loss = {.segment = step, .value = is_nan ? NAN : 1.0}});
    }
    rows.runs[0].steps = 8;
    for (const std::int64_t recorded : {4, 8}) {
      rows.runs[0].recorded_steps = recorded;
      const Symptoms symptoms(rows, rows.runs[0]);
      const std::string said = consequence_of(event_groups(symptoms).at(0), symptoms);
      if (last == 5) {
        EXPECT_EQ(said, "The loss is not finite in 3 of 8 steps, from step 3 on.");
      } else {
        EXPECT_EQ(said, recorded == 8 ? "The loss is not finite in 1 of 8 steps. Gradients and weights stay finite."
                                      : "The loss is not finite in 1 of 8 steps.");
      }
    }
  }
}

TEST(EventGroups, LeaveOutTheProductOfAFiniteLossAndItsScale) {
  for (const double loss : {2.5, std::numeric_limits<double>::infinity()}) {
    ReportRows rows = one_run();
    const queries::OpRow op = add_op(rows, Phase::Forward, "", "mul.Tensor");
    add_events(rows, op, too_large(NonfiniteOutcome::Skipped), {1});
    rows.losses.push_back({.run = 1, .level = "", .step = 1, .loss = {.segment = 1, .value = loss}});
    const auto groups = event_groups(Symptoms(rows, rows.runs[0]));
    ASSERT_EQ(groups.size(), 1u);
    EXPECT_EQ(groups[0].kind, std::isfinite(loss) ? EventKind::Harmless : EventKind::HeldByFp32) << loss;
  }
}

}  // namespace event_groups_test
}  // namespace ampprof::analysis
