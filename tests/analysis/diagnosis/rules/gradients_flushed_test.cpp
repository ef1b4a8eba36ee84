// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace gradients_flushed_test {

ReportRows flushing(std::int64_t flushed, std::int64_t exponent) {
  ReportRows rows = one_run();
  queries::OpRow& op = add_op(rows, Phase::Backward, "head", "mm");
  op.local = with_error(1.0, flushed);
  op.exponents = op.inherited_exponents = ExponentHistogram{};
  op.inherited_exponents->counts[ExponentHistogram::bin_of(exponent)] = 100;
  queries::GradientErrorRow& gradient = rows.gradients.emplace_back();
  gradient.run = 1;
  gradient.parameter = "body.weight";
  gradient.flushed = static_cast<double>(flushed) / 100;
  return rows;
}

TEST(GradientsFlushed, AdviseAScaler) {
  const ReportRows rows = flushing(100, -27);
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"gradients_flushed"});
  const Finding finding = diagnose(rows)[0];
  EXPECT_EQ(finding.remedies.at(0).code, "GradScaler(init_scale=65536)") << "the usual scale is enough";
  EXPECT_DOUBLE_EQ(finding.cost, 1.0);
}

TEST(GradientsFlushed, AdviseALargerScaleWhereTheUsualOneIsTooSmall) {
  EXPECT_EQ(found(flushing(100, -44), "gradients_flushed").at(0).remedies.at(0).code,
            "GradScaler(init_scale=16777216)");
}

TEST(GradientsFlushed, AreNoneWhereFewAre) { EXPECT_TRUE(kinds(flushing(10, -20)).empty()); }

}  // namespace gradients_flushed_test
}  // namespace ampprof::analysis::rules_test
