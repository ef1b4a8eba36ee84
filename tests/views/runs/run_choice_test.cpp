// SPDX-License-Identifier: Apache-2.0
#include "views/runs/run_choice.h"

#include <gtest/gtest.h>

#include "analysis/compare/pairing.h"
#include "reports/queries/runs.h"
#include "reports/text/usage_error.h"

namespace ampprof::views {
namespace run_choice_test {

std::vector<queries::RunRow> runs_at(const std::vector<std::string>& levels) {
  std::vector<queries::RunRow> runs;
  for (const std::string& level : levels) {
    queries::RunRow& run = runs.emplace_back();
    run.run = static_cast<std::int64_t>(runs.size());
    run.level = level;
  }
  return runs;
}

TEST(NamesOfRepeats, AreTheirLevelOrTheirIds) {
  EXPECT_EQ(name_of(runs_at({"O1", "O1"})), "O1");
  EXPECT_EQ(name_of(runs_at({""})), "run 1");
  EXPECT_EQ(name_of(runs_at({"", "", ""})), "runs 1 to 3");
}

TEST(LabelsOfRuns, CountTheRepeatsOfALevel) {
  const auto runs = runs_at({"O1", "O0", "O1", "", "O1"});
  std::vector<std::string> labels;
  for (const queries::RunRow& run : runs) labels.push_back(label_of(run, runs));
  EXPECT_EQ(labels, (std::vector<std::string>{"O1", "O0", "O1 #2", "run 4", "O1 #3"}));
  EXPECT_EQ(labels_of(runs), labels);
}

TEST(LabelsOfRuns, TellRanksApart) {
  auto runs = runs_at({"O1", "O1", "O1", "", "O1", "O1"});
  for (queries::RunRow& run : runs) run.world_size = 2;
  runs[0].rank = runs[2].rank = 0;
  runs[1].rank = runs[3].rank = 1;
  runs[4].rank = 0;
  runs[4].world_size = 1;
  std::vector<std::string> labels;
  for (const queries::RunRow& run : runs) labels.push_back(label_of(run, runs));
  EXPECT_EQ(labels, (std::vector<std::string>{"O1 rank 0", "O1 rank 1", "O1 rank 0 #2", "run 4 rank 1", "O1", "O1 #2"}))
      << "a program of one process, and one without a launcher, are not distributed";
  EXPECT_EQ(labels_of(runs), labels);
}

TEST(LabelsOfRuns, SayWhatTheyAskAfter) {
  auto runs = runs_at({"O0", "O0", "O0", ""});
  runs[0].what_if = "mxfp8";
  runs[1].what_if = runs[2].what_if = runs[3].what_if = "nvfp4";
  const std::vector<std::string> labels{"O0 what-if mxfp8", "O0 what-if nvfp4", "O0 what-if nvfp4 #2",
                                        "run 4 what-if nvfp4"};
  EXPECT_EQ(labels_of(runs), labels);
  EXPECT_EQ(label_of(runs[2], runs), labels[2]);
}

TEST(WantedRuns, AreAllWhereNoneIsNamed) {
  const auto runs = runs_at({"O0", "O1", "O1"});
  EXPECT_EQ(runs_wanted(runs, std::nullopt, "r").size(), 3u);
  EXPECT_EQ(runs_wanted(runs, "O1", "r").size(), 2u);
  EXPECT_EQ(runs_named(runs, "1", "r").at(0).level, "O0");
  try {
    runs_wanted(runs, "O3", "r.ampprof");
    FAIL() << "there is none";
  } catch (const text::UsageError& error) {
    EXPECT_STREQ(error.what(), "--run: r.ampprof has no run 'O3'. Its runs are 1 (O0), 2 (O1) and 3 (O1).");
  }
}

TEST(Pairs, AreRequiredIfTheyAreUnclear) {
  using Wanted = std::vector<std::string>;
  for (const auto& [levels, wanted] :
       {std::pair(Wanted{"O1", "O2"}, Wanted{"O2"}), std::pair(Wanted{"O0"}, Wanted{})}) {
    try {
      pair_runs(runs_at(levels), wanted);
      FAIL() << "against what?";
    } catch (const text::UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("Nothing to compare."), std::string::npos) << error.what();
    }
  }
}

TEST(Pairs, OfAMissingRunAreRefused) {
  try {
    pair_runs(runs_at({"O0", "O1"}), {"O7"});
    FAIL() << "there is none";
  } catch (const text::UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("the report has no run 'O7'"), std::string::npos) << error.what();
  }
}

}  // namespace run_choice_test
}  // namespace ampprof::views
