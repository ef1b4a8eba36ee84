// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace loss_scale_too_large_test {

queries::EventRow at_scale(double scale, double safe) {
  queries::EventRow event = too_large(NonfiniteOutcome::Skipped);
  event.by_scaler = true;
  event.scale_before = scale;
  event.largest_safe_scale = safe;
  return event;
}

ReportRows skipping(const std::vector<std::int64_t>& steps, double safe = 50642) {
  ReportRows rows = one_run();
  rows.scales.emplace_back().run = 1;
  const queries::OpRow op = add_op(rows, Phase::Backward, "out", "mm");
  add_events(rows, op, at_scale(262144, safe), steps);
  return rows;
}

TEST(LossScaleTooLarge, AdvisesTheLargestPowerOfTwoThatFits) {
  const ReportRows rows = skipping({1, 2, 7});
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"loss_scale_too_large"});
  const Finding finding = diagnose(rows)[0];
  EXPECT_DOUBLE_EQ(finding.cost, 0.3);
  EXPECT_EQ(finding.remedies.at(0).code, "GradScaler(init_scale=32768)");
}

TEST(LossScaleTooLarge, JoinsOriginsThatASmallerScaleCures) {
  ReportRows rows = skipping({1, 2});
  const queries::OpRow other = add_op(rows, Phase::Backward, "in", "mm");
  add_events(rows, other, at_scale(65536, 20000), {3});
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"loss_scale_too_large"});
  EXPECT_EQ(diagnose(rows)[0].remedies.at(0).code, "GradScaler(init_scale=16384)");
}

TEST(LossScaleTooLarge, IsNoneOfAScalerThatFindsItsScale) { EXPECT_TRUE(kinds(skipping({1, 2})).empty()); }

TEST(LossScaleTooLarge, IsNoneWhereNoScaleHelps) {
  EXPECT_EQ(kinds(skipping({1, 2, 7}, 0.5)), std::vector<std::string>{"overflow_held_by_fp32"});
}

}  // namespace loss_scale_too_large_test
}  // namespace ampprof::analysis::rules_test
