// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/prediction.h"

#include <gtest/gtest.h>

#include "precision/advice/advise.h"
#include "reports/queries/runs.h"

namespace ampprof::gui {
namespace prediction_test {

queries::RunRow run() {
  queries::RunRow row;
  row.ms_per_step = 30;
  row.overhead_ms_per_step = 10;
  return row;
}

TEST(Prediction, OfALossIsBeforeAndAfter) {
  EXPECT_EQ(lossText({.impact_before = 8.1e-4, .impact_after = 3e-5}).toStdString(),
            "expected loss impact 8.1e-04 → 3.0e-05");
  EXPECT_EQ(lossText({.basis = advice::RankingBasis::LocalError}).toStdString(),
            "expected loss impact unknown: record with --impact");
  EXPECT_EQ(lossText({}).toStdString(), "expected loss impact unknown: too few loss impacts were measured");
}

TEST(Prediction, OfAStepLeavesOutTheTimeOfTheTool) {
  advice::Advice advice{.cost_us = 250};
  advice.policy.push_back({.op = "sum", .module = "", .cast_bytes = 30000});
  advice.policy.push_back({.op = "exp", .module = "", .cast_bytes = -10000});
  EXPECT_EQ(stepText(advice, run()).toStdString(), "time per step 20.0 ms → 20.2 ms, casts +20.0 kB");
  queries::RunRow of_gpu = run();
  of_gpu.gpu_ms_per_step = 18;
  EXPECT_EQ(stepText(advice, of_gpu).toStdString(), "time per step 20.0 ms → 20.2 ms (from GPU times), casts +20.0 kB");
  advice.policy.pop_back();
  advice.policy.pop_back();
  advice.cost_us = 0;
  EXPECT_EQ(stepText(advice, run()).toStdString(), "time per step 20.0 ms → 20.0 ms");
}

TEST(ImpactText, SaysHowSureASizeIs) {
  BoardLine line{.name = "fc/linear"};
  EXPECT_EQ(impactText(line), "") << "nothing was measured";
  line.loss_change = 3e-5;
  line.impact = {.interval = SizeInterval{2e-5, 4e-5}, .mean = 1e-6, .is_resolved = false};
  EXPECT_EQ(impactText(line).toStdString(),
            "Δ loss per step: E 3.0e-05, 90 % interval 2.0e-05 to 4.0e-05; mean within noise");
  line.impact = {.mean = 1e-5, .is_resolved = true};
  EXPECT_EQ(impactText(line).toStdString(), "Δ loss per step: E 3.0e-05; mean +1.0e-05");
  line.impact = {.is_signed = true};
  EXPECT_TRUE(impactText(line).contains("3.0e-05, the root mean square of the signed changes"));
}

TEST(Confirmation, PutsBeforePredictedAndMeasuredSideBySide) {
  const advice::Advice predicted{.impact_before = 8.1e-4, .impact_after = 3e-5, .cost_us = 250};
  const advice::Advice measured{.impact_before = 4e-5};
  queries::RunRow before = run();
  before.overflow_events = 7;
  queries::RunRow after = run();
  after.ms_per_step = 31;
  EXPECT_EQ(confirmationText(predicted, before, &measured, &after).toStdString(),
            "expected loss impact: 8.1e-04 before, 3.0e-05 predicted, 4.0e-05 measured\n"
            "time per step: 20.0 ms before, 20.2 ms predicted, 21.0 ms measured\n"
            "overflow events: 7 before, 0 measured");
  EXPECT_EQ(confirmationText(predicted, before, nullptr, nullptr), "The new report holds no run to compare with.");
}

TEST(Prediction, OfAStepSaysWhatIsNotKnown) {
  advice::Advice advice;
  EXPECT_EQ(stepText(advice, run()).toStdString(), "time per step 20.0 ms, cost of FP32 unknown: record a run at O0");
  advice.policy.push_back({.op = "sum", .module = ""});
  EXPECT_EQ(stepText(advice, run()).toStdString(), "time per step 20.0 ms → unknown");
  EXPECT_EQ(stepText(advice, {}).toStdString(), "time per step unknown");
}

}  // namespace prediction_test
}  // namespace ampprof::gui
