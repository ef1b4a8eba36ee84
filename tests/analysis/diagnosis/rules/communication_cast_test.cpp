// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace communication_cast_test {

/// Returns a run whose communication hook casts FP32 gradients to FP16 and all-reduces them.
ReportRows with_hook(std::int64_t flushed, DType weights = DType::Float) {
  ReportRows rows = one_run();
  queries::OpRow& cast = add_op(rows, Phase::Backward, "net", "to.dtype");
  cast.dtype_in = DType::Float;
  cast.local = with_error(0.2, flushed);
  queries::OpRow& sent = add_op(rows, Phase::Backward, "net", "c10d::allreduce_");
  sent.dtype_in = DType::Half;
  queries::UpdateRow& update = rows.updates.emplace_back();
  update.run = 1;
  update.total.dtype = weights;
  return rows;
}

TEST(CommunicationCast, IsOneThatMakesZeroOfGradients) {
  const ReportRows rows = with_hook(36);
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"communication_cast"});
  EXPECT_NE(diagnose(rows)[0].mechanism.find("36 of 100 values"), std::string::npos) << diagnose(rows)[0].mechanism;
}

TEST(CommunicationCast, IsOneThatOverflowsWithoutALossScale) {
  ReportRows rows = with_hook(0);
  add_events(rows, rows.ops[0], too_large(NonfiniteOutcome::Weight), {1, 2});
  EXPECT_EQ(kinds(rows), std::vector<std::string>{"communication_cast"});
}

TEST(CommunicationCast, IsNoneWhereALossScaleIsToBlame) {
  ReportRows rows = with_hook(0);
  queries::EventRow event = too_large(NonfiniteOutcome::Skipped);
  event.by_scaler = true;
  event.scale_before = 65536;
  add_events(rows, rows.ops[0], event, {1, 2, 3});
  EXPECT_EQ(kinds(rows), std::vector<std::string>{"loss_scale_too_large"});
}

TEST(CommunicationCast, IsNoneOfFewZeros) { EXPECT_TRUE(kinds(with_hook(3)).empty()); }

TEST(CommunicationCast, IsNoneWhereWeightsAreInTheTypeThatIsSent) {
  EXPECT_TRUE(kinds(with_hook(36, DType::Half)).empty());
}

}  // namespace communication_cast_test
}  // namespace ampprof::analysis::rules_test
