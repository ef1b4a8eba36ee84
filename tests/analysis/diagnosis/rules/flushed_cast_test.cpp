// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace flushed_cast_test {

ReportRows casting(std::int64_t flushed) {
  ReportRows rows = one_run();
  for (int tensor = 0; tensor < 3; ++tensor) {
    queries::OpRow& cast = add_op(rows, Phase::Forward, "", "to.dtype");
    cast.source = "save.py:27";
    cast.local = with_error(0.1, flushed);
  }
  return rows;
}

TEST(FlushedCast, IsOneFindingALine) {
  const ReportRows rows = casting(60);
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"flushed_cast"});
  EXPECT_NE(diagnose(rows)[0].mechanism.find("180 of 300 values"), std::string::npos) << diagnose(rows)[0].mechanism;
}

TEST(FlushedCast, IsNoneWhereFewValuesAreSmall) { EXPECT_TRUE(kinds(casting(5)).empty()); }

}  // namespace flushed_cast_test
}  // namespace ampprof::analysis::rules_test
