// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace amplified_error_test {

ReportRows with_rope(double local, double gradient) {
  ReportRows rows = one_run();
  queries::OpRow& cosine = add_op(rows, Phase::Forward, "rope", "cos", DType::BFloat16);
  cosine.local = with_error(local);
  cosine.inherited = with_error(0.8);
  queries::OpRow& behind = add_op(rows, Phase::Forward, "attn", "mul", DType::BFloat16);
  behind.local = with_error(1e-3);
  behind.inherited = with_error(0.8);
  queries::GradientErrorRow& row = rows.gradients.emplace_back();
  row.run = 1;
  row.relative = gradient;
  return rows;
}

TEST(AmplifiedError, IsTheFirstWrongOp) {
  const ReportRows rows = with_rope(1e-3, 1.0);
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"amplified_error"});
  EXPECT_EQ(diagnose(rows)[0].culprit.module, "rope");
  EXPECT_NE(diagnose(rows)[0].mechanism.find("angle"), std::string::npos);
}

TEST(AmplifiedError, IsNoneOfALookUp) {
  EXPECT_TRUE(kinds(with_rope(0.0, 1.0)).empty()) << "what chose its rows is to blame";
}

TEST(AmplifiedError, IsNoneWhereGradientsAreRight) { EXPECT_TRUE(kinds(with_rope(1e-3, 0.01)).empty()); }

ReportRows with_rope_in_inference(double result) {
  ReportRows rows = one_run();
  queries::OpRow& cosine = add_op(rows, Phase::Inference, "rope", "cos", DType::BFloat16);
  cosine.local = with_error(1e-3);
  cosine.inherited = with_error(0.8);
  queries::OpRow& last = add_op(rows, Phase::Inference, "head", "linear", DType::BFloat16);
  last.local = with_error(1e-3);
  last.inherited = with_error(result);
  return rows;
}

TEST(AmplifiedError, IsFoundInInference) {
  const ReportRows rows = with_rope_in_inference(0.4);
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"amplified_error"});
  EXPECT_EQ(diagnose(rows)[0].culprit.module, "rope");
  EXPECT_EQ(diagnose(rows)[0].consequence, "The result of inference is off by 40%.");
}

TEST(AmplifiedError, IsNoneWhereTheResultOfInferenceIsRight) {
  EXPECT_TRUE(kinds(with_rope_in_inference(0.01)).empty());
}

}  // namespace amplified_error_test
}  // namespace ampprof::analysis::rules_test
