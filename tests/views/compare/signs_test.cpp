// SPDX-License-Identifier: Apache-2.0
#include "views/compare/signs.h"

#include <gtest/gtest.h>

#include "reports/compare/compare_samples.h"
#include "views/table/view.h"

namespace ampprof::views {
namespace signs_test {

using compare::Verdict;

std::string sign_for(std::optional<Verdict> verdict) {
  compare::Compared compared;
  compared.verdict = verdict;
  return sign_of(compared);
}

View with_cells(const std::vector<std::string>& texts) {
  View view;
  for (const std::string& text : texts) view.records.push_back({.cells = {{text}}});
  return view;
}

TEST(Signs, StandBehindFiguresThatDifferOrMayDiffer) {
  EXPECT_EQ(sign_for(Verdict::Differs), " *");
  EXPECT_EQ(sign_for(Verdict::CannotTell), " ?");
  EXPECT_EQ(sign_for(Verdict::Same), "");
  EXPECT_EQ(sign_for(std::nullopt), "");
}

TEST(Signs, AreExplainedInDescriptionsOfColumns) {
  EXPECT_EQ(signs_explained(), "In tables, \"*\": differs; \"?\": cannot be told from noise, for lack of repeats.");
}

TEST(Signs, AreExplainedWhereTheyOccur) {
  EXPECT_EQ(legend(with_cells({"1 ms"}), with_cells({"conv"})), "");
  EXPECT_EQ(legend(with_cells({"1 ms -> 2 ms ?"}), with_cells({"conv"})), "\"?\": cannot be told from noise");
  EXPECT_EQ(legend(with_cells({"1 ms *"}), with_cells({"2 ?", "- conv", "+ relu", "~ fc"})),
            "\"*\": differs; \"?\": cannot be told from noise; \"-\": only on the first side; \"+\": only on the "
            "second side; \"~\": renamed");
}

}  // namespace signs_test
}  // namespace ampprof::views
