// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "reports/queries/ops.h"

namespace ampprof {
namespace first_to_diverge_test {

constexpr std::int64_t kRun = 2;

/// Returns an op with the inherited relative error `error`.
queries::OpRow op(std::int64_t id, Phase phase, double error, std::int32_t position = 0) {
  queries::OpRow row;
  row.run = kRun;
  row.call_site_id = id;
  row.phase = phase;
  row.position = position;
  row.inherited = ErrorStats{.count = 1, .sum_sq_error = error * error, .sum_sq_reference = 1};
  return row;
}

std::int64_t id_of(const std::optional<queries::OpRow>& row) { return row ? row->call_site_id : 0; }

TEST(FirstToDiverge, IsTheFirstInTheStepNotTheLargest) {
  const std::vector<queries::OpRow> ops{op(1, Phase::Forward, 0.25), op(2, Phase::Forward, 0.5),
                                        op(3, Phase::Backward, 4)};
  EXPECT_EQ(id_of(queries::first_to_diverge(ops, kRun, 0.5)), 2);
  EXPECT_EQ(id_of(queries::first_to_diverge(ops, kRun, 1)), 3);
  EXPECT_EQ(id_of(queries::first_to_diverge(ops, kRun, 8)), 0);
}

TEST(FirstToDiverge, PutsPlacesInTheStepBeforePhasesBeforeNumbers) {
  const queries::OpRow inference = op(1, Phase::Inference, 1);
  const queries::OpRow of_second_segment = op(2, Phase::Forward, 1, /*position=*/1);
  const queries::OpRow optimizer = op(3, Phase::Optimizer, 1);
  const queries::OpRow backward = op(4, Phase::Backward, 1);
  const queries::OpRow forward_of_a_rare_branch = op(5, Phase::Forward, 1);
  std::vector<queries::OpRow> ops{inference, of_second_segment, optimizer, backward, forward_of_a_rare_branch};
  for (const std::int64_t expected : {5, 4, 3, 2, 1}) {
    EXPECT_EQ(id_of(queries::first_to_diverge(ops, kRun, 1)), expected);
    ops.pop_back();
  }
}

TEST(FirstToDiverge, LooksAtTheRunAskedForAndAtKnownErrorsOnly) {
  queries::OpRow other = op(1, Phase::Forward, 1);
  other.run = kRun + 1;
  queries::OpRow unknown = op(2, Phase::Forward, 1);
  unknown.inherited.reset();
  EXPECT_EQ(id_of(queries::first_to_diverge({other, unknown, op(3, Phase::Backward, 1)}, kRun, 0.5)), 3);
}

TEST(FirstToDiverge, TakesNanForDiverging) {
  queries::OpRow lost = op(1, Phase::Forward, 0);
  lost.inherited->sum_sq_error = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(id_of(queries::first_to_diverge({lost}, kRun, 0.5)), 1);
}

}  // namespace first_to_diverge_test
}  // namespace ampprof
