// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace ranks_with_other_scales_test {

ReportRows two_ranks(double second) {
  ReportRows rows = one_run();
  rows.runs.push_back(rows.runs[0]);
  rows.runs[1].run = 2;
  for (std::size_t i = 0; i < 2; ++i) {
    rows.runs[i].rank = static_cast<std::int64_t>(i);
    rows.runs[i].world_size = 2;
    queries::ScaleRow& scale = rows.scales.emplace_back();
    scale.run = rows.runs[i].run;
    scale.step = 1;
    scale.update.scale_before = i == 0 ? 1024 : second;
  }
  return rows;
}

TEST(RanksWithOtherScales, SayBothScalesOnce) {
  const ReportRows rows = two_ranks(4096);
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"ranks_with_other_scales"});
  const std::string mechanism = diagnose(rows)[0].mechanism;
  EXPECT_NE(mechanism.find("Rank 0 has a loss scale of 1024 in step 1, and rank 1 has 4096"), std::string::npos);
}

TEST(RanksWithOtherScales, AreNoneWhereTheyAgree) { EXPECT_TRUE(kinds(two_ranks(1024)).empty()); }

}  // namespace ranks_with_other_scales_test
}  // namespace ampprof::analysis::rules_test
