// SPDX-License-Identifier: Apache-2.0
#include "views/losses/impact_sentences.h"

#include <gtest/gtest.h>

#include "reports/queries/impacts.h"

namespace ampprof::views {
namespace impact_sentences_test {

struct ImpactSentences : testing::Test {
  ImpactSentences() {
    rows_[0].run = rows_[1].run = 1;
    rows_[0].self_check = rows_[1].self_check = 1.0;
  }
  std::string order(bool has_sums) const {
    const std::vector<const queries::ImpactRow*> rows{&rows_[0], &rows_[1]};
    return impact_order(rows, has_sums);
  }

  queries::ImpactRow rows_[2];
};

TEST_F(ImpactSentences, NameTheKeyOfTheOrder) {
  EXPECT_EQ(order(false),
            "Sorted by E, the expected (RMS) loss impact per step, the largest first. \"=\" marks ranks that cannot be "
            "told apart.");
  EXPECT_TRUE(order(true).starts_with("Sums come first; other rows are sorted by E, "));
}

TEST_F(ImpactSentences, TellThatRowsOfSeveralRunsAreMixed) {
  rows_[1].run = 2;
  EXPECT_NE(order(true).find("all runs and losses together; ranks count within a run and loss."), std::string::npos)
      << order(true);
}

TEST_F(ImpactSentences, SayNothingWithoutAnEstimate) {
  rows_[0].self_check = rows_[1].self_check = std::nullopt;
  EXPECT_EQ(order(true), "");
}

}  // namespace impact_sentences_test
}  // namespace ampprof::views
