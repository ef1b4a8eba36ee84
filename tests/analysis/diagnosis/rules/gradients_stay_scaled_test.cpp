// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace gradients_stay_scaled_test {

ReportRows multiplied(std::string_view what) {
  ReportRows rows = one_run();
  queries::MissingRow& row = rows.missing.emplace_back();
  row.run = 1;
  row.missing.what = what;
  row.missing.cause = "the loss is multiplied by 65536 before its backward, and nobody divides";
  rows.updates.emplace_back().run = 1;
  return rows;
}

TEST(GradientsStayScaled, UnlessTheProgramDividesThem) {
  const ReportRows rows = multiplied(kUndividedGradients);
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"gradients_stay_scaled"});
  EXPECT_TRUE(diagnose(rows)[0].mechanism.starts_with("The loss is multiplied by 65536, as a GradScaler does"));
}

TEST(GradientsStayScaled, IsNotSaidOfAWeightOfTheLoss) {
  EXPECT_TRUE(kinds(multiplied("loss scale of the program")).empty());
}

TEST(GradientsStayScaled, IsNotSaidWhereNothingIsUpdated) {
  ReportRows rows = multiplied(kUndividedGradients);
  rows.updates.clear();
  EXPECT_TRUE(kinds(rows).empty());
}

}  // namespace gradients_stay_scaled_test
}  // namespace ampprof::analysis::rules_test
