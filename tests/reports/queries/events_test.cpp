// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/events.h"

#include <gtest/gtest.h>

#include "reports/queries/report.h"
#include "reports/records/batch.h"
#include "reports/records/event.h"
#include "tests/reports/queries/one_run.h"

namespace ampprof {
namespace events_test {

using namespace testing_reports;

using Events = OneRun;

TEST_F(Events, ComeBackWithNames) {
  const auto events = queries::events(written(two_steps()));
  ASSERT_EQ(events.size(), 1u);
  const queries::EventRow& event = events[0];
  EXPECT_EQ(event.level, "O1");
  EXPECT_EQ(event.step, 2);
  EXPECT_EQ(event.calls, 3);
  EXPECT_EQ(event.steps, 2);
  EXPECT_EQ(event.micro_batch, 3);
  EXPECT_EQ(event.cause, NonfiniteCause::TooLarge);
  EXPECT_EQ(event.value, 98304.0);
  EXPECT_EQ(event.fp32_holds, true);
  EXPECT_EQ(event.shadow_holds, false);
  EXPECT_EQ(event.outcome, NonfiniteOutcome::Skipped);
  EXPECT_EQ(event.reached, "fc.weight");
  EXPECT_EQ(event.outcome_op, "fc/linear");
  EXPECT_TRUE(event.by_scaler);
  EXPECT_EQ(event.loss_id, 0);
  EXPECT_EQ(event.scale_before, 8.0);
  EXPECT_EQ(event.scale_after, 4.0);
  EXPECT_TRUE(event.skipped);
  EXPECT_EQ(event.first_op, "backward fc/mm");
  EXPECT_EQ(event.first_op_phase, Phase::Backward);
  EXPECT_EQ(event.chain, (std::vector<std::string>{"backward fc/mm", "fc/linear"}));
  EXPECT_EQ(event.largest_safe_scale, 6.5);
  EXPECT_TRUE(event.largest_safe_scale_is_bound);
  ASSERT_EQ(event.parameters.size(), 2u);
  EXPECT_EQ(event.parameters[0].name, "fc.weight");
  EXPECT_EQ(event.parameters[0].nan, 1);
  EXPECT_EQ(event.parameters[0].inf, 2);
  EXPECT_EQ(event.parameters[0].finite_amax, 7.0);
  EXPECT_EQ(event.parameters[1].finite_amax, std::nullopt);
}

TEST_F(Events, OfASkippedUpdateEndThere) {
  Batch batch;
  batch.segments = {segment(1, 1, 0, 0), segment(2, 2, 0, 0)};
  batch.segments[1].skipped = true;
  for (const std::int64_t segment : {1, 2}) {
    for (const NonfiniteOutcome outcome : {NonfiniteOutcome::Gradient, NonfiniteOutcome::Clamped}) {
      NonfiniteEvent& event = batch.events.emplace_back();
      event.segment = segment;
      event.outcome = outcome;
    }
  }
  const auto events = queries::events(written(batch));
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].outcome, NonfiniteOutcome::Gradient);
  EXPECT_EQ(events[2].outcome, NonfiniteOutcome::Skipped);
  EXPECT_EQ(events[3].outcome, NonfiniteOutcome::Clamped) << "it went no further before";
}

}  // namespace events_test
}  // namespace ampprof
