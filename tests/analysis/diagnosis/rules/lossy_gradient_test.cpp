// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace lossy_gradient_test {

ReportRows adding_up(double own, double gradient) {
  ReportRows rows = one_run();
  add_op(rows, Phase::Backward, "emb", "embedding_backward").local = with_error(own);
  queries::GradientErrorRow& row = rows.gradients.emplace_back();
  row.run = 1;
  row.parameter = "emb.weight";
  row.relative = gradient;
  return rows;
}

TEST(LossyGradient, NamesTheOpThatLosesIt) {
  const ReportRows rows = adding_up(0.43, 0.4);
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"lossy_gradient"});
  EXPECT_EQ(diagnose(rows)[0].consequence, "The gradient of emb.weight is off by 40%.");
}

TEST(LossyGradient, IsNoneOfOpsThatRoundWell) { EXPECT_TRUE(kinds(adding_up(0.01, 0.4)).empty()); }

TEST(LossyGradient, IsNoneWhereGradientsAreRight) { EXPECT_TRUE(kinds(adding_up(0.43, 0.02)).empty()); }

}  // namespace lossy_gradient_test
}  // namespace ampprof::analysis::rules_test
