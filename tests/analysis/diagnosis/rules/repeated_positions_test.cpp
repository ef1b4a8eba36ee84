// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace repeated_positions_test {

/// Returns a run that computes positions with a maximum absolute error of `largest`, and from the positions angles with
/// a relative inherited error of `error_of_angles`.
ReportRows with_positions(double largest, double error_of_angles, const char* module = "rope") {
  ReportRows rows = one_run();
  queries::OpRow& positions = add_op(rows, Phase::Inference, module, "arange", DType::BFloat16);
  positions.local = with_error(1e-3);
  positions.local->max_abs = largest;
  queries::OpRow& angles = add_op(rows, Phase::Inference, module, "cos", DType::BFloat16);
  angles.local = with_error(1e-3);
  angles.inherited = with_error(error_of_angles);
  add_op(rows, Phase::Inference, "head", "linear", DType::BFloat16).inherited = with_error(0.01);
  return rows;
}

TEST(RepeatedPositions, NameWhereTheyAreCounted) {
  const ReportRows rows = with_positions(2.0, 0.18);
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"repeated_positions"});
  EXPECT_EQ(diagnose(rows)[0].culprit.op, "arange");
  EXPECT_EQ(diagnose(rows)[0].consequence, "rope/cos is off by 18%.");
}

TEST(RepeatedPositions, AreNotReportedWithoutAnEffect) { EXPECT_TRUE(kinds(with_positions(2.0, 0.01)).empty()); }

TEST(RepeatedPositions, AreNoneOfFractions) { EXPECT_TRUE(kinds(with_positions(0.002, 0.18)).empty()); }

TEST(RepeatedPositions, AreNoneOutsideOfModules) { EXPECT_TRUE(kinds(with_positions(2.0, 0.18, "")).empty()); }

TEST(RepeatedPositions, AreLeftToTheOpThatAmplifiesThem) {
  ReportRows rows = with_positions(2.0, 0.18);
  rows.ops.back().inherited = with_error(0.4);
  EXPECT_EQ(kinds(rows), std::vector<std::string>{"amplified_error"});
}

}  // namespace repeated_positions_test
}  // namespace ampprof::analysis::rules_test
