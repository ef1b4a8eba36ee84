// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/analysis/diagnosis/rules/one_run.h"

namespace ampprof::analysis::rules_test {
namespace unknown_origin_test {

ReportRows with_unknown(const std::vector<std::int64_t>& steps) {
  ReportRows rows = one_run();
  queries::EventRow event = too_large(NonfiniteOutcome::Skipped);
  event.cause = NonfiniteCause::Unknown;
  event.fp32_holds.reset();
  add_events(rows, {}, event, steps);
  return rows;
}

TEST(UnknownOrigin, IsPossibleAlone) {
  const ReportRows rows = with_unknown({1, 2, 3, 4});
  ASSERT_EQ(kinds(rows), std::vector<std::string>{"unknown_origin"});
  EXPECT_EQ(diagnose(rows)[0].confidence, Confidence::Possible);
  EXPECT_DOUBLE_EQ(diagnose(rows)[0].cost, 0.4);
}

TEST(UnknownOrigin, IsNoneOfAScalerThatFindsItsScale) { EXPECT_TRUE(kinds(with_unknown({1, 2})).empty()); }

}  // namespace unknown_origin_test
}  // namespace ampprof::analysis::rules_test
