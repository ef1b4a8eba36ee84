// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace clip_before_unscale_test {

queries::EventRow clamped() {
  queries::EventRow event = too_large(NonfiniteOutcome::Clamped);
  event.reached = "head.weight";
  event.outcome_op = "optimizer/clamp_";
  return event;
}

TEST(ClipBeforeUnscale, NamesTheLineOfTheClip) {
  ReportRows rows = one_run();
  const queries::OpRow op = add_op(rows, Phase::Backward, "head", "mm");
  add_op(rows, Phase::Optimizer, "optimizer", "clamp_");
  queries::ScaleRow& scale = rows.scales.emplace_back();
  scale.run = 1;
  scale.update.scale_after = 131072;
  add_events(rows, op, clamped(), {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"clip_before_unscale"});
  const Finding finding = diagnose(rows)[0];
  EXPECT_EQ(finding.culprit.source, "train.py:2");
  EXPECT_EQ(finding.remedies.at(0).code, "scaler.unscale_(optimizer)");
  EXPECT_DOUBLE_EQ(finding.cost, 1.0);
}

TEST(ClipBeforeUnscale, IsNoneWhereTheScalerSkips) {
  ReportRows rows = one_run();
  const queries::OpRow op = add_op(rows, Phase::Backward, "head", "mm");
  queries::EventRow event = clamped();
  event.outcome = NonfiniteOutcome::Skipped;
  add_events(rows, op, event, {1});
  EXPECT_TRUE(kinds(rows).empty());
}

/// Returns a run that clips the gradient norm with a factor of `share`, before or after it unscales the gradients.
ReportRows clipping(double share, bool unscales_before) {
  ReportRows rows = one_run();
  rows.scales.emplace_back().run = 1;
  const auto unscale = [&] { add_op(rows, Phase::Optimizer, "", "_amp_foreach_non_finite_check_and_unscale_"); };
  if (unscales_before) unscale();
  add_op(rows, Phase::Optimizer, "", "linalg_vector_norm").source = "train.py:25";
  queries::OpRow& clamp = add_op(rows, Phase::Optimizer, "", "clamp");
  clamp.source = "train.py:25";
  clamp.ranges.emplace().amax = share;
  if (!unscales_before) unscale();
  return rows;
}

TEST(ClipBeforeUnscale, IsFoundWhereANormOfScaledGradientsIsLimited) {
  const auto findings = diagnose(clipping(3e-5, false));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, "clip_before_unscale");
  EXPECT_EQ(findings[0].culprit.source, "train.py:25");
  EXPECT_EQ(findings[0].consequence, "Clipping multiplies each gradient by 3.0e-05 or less.");
  EXPECT_EQ(findings[0].remedies.at(0).word, "unscale_before_clip");
}

TEST(ClipBeforeUnscale, IsNoneOfAClipOfUnscaledGradientsOrOneThatLeavesThem) {
  EXPECT_TRUE(diagnose(clipping(3e-5, true)).empty());
  EXPECT_TRUE(diagnose(clipping(1.0, false)).empty());
}

}  // namespace clip_before_unscale_test
}  // namespace ampprof::analysis::rules_test
