// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace buffer_out_of_range_test {

queries::EventRow of_buffer() {
  queries::EventRow event = too_large(NonfiniteOutcome::Buffer, 606500);
  event.reached = "running_var";
  return event;
}

TEST(BufferOutOfRange, KeepsTheModuleInFp32) {
  ReportRows rows = one_run();
  const queries::OpRow cast = add_op(rows, Phase::Inference, "bn", "to.dtype");
  add_events(rows, cast, of_buffer(), {4});
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"buffer_out_of_range"});
  EXPECT_EQ(diagnose(rows)[0].remedies.at(0).code, "model.get_submodule(\"bn\").float()");
}

TEST(BufferOutOfRange, IsNoneOfAnOpThatComputesIt) {
  ReportRows rows = one_run();
  const queries::OpRow op = add_op(rows, Phase::Forward, "bn", "batch_norm");
  add_events(rows, op, of_buffer(), {4});
  EXPECT_EQ(kinds(rows), std::vector<std::string>{"overflow_held_by_fp32"});
}

}  // namespace buffer_out_of_range_test
}  // namespace ampprof::analysis::rules_test
