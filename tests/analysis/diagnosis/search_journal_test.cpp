// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/search_journal.h"

#include <gtest/gtest.h>

#include "reports/queries/runs.h"
#include "tests/reports/sample_report.h"

namespace ampprof::analysis {
namespace search_journal_test {

using testing_reports::start_of;

class SearchReports : public testing::Test {
 protected:
  SearchReports() { store::create_report(path(), false); }

  std::filesystem::path path() const { return folder_ / "search.ampprof"; }

  void add(std::int64_t seed, const Trial& trial, const std::string& level = "O1", const std::string& program = "") {
    store::ReportWriter writer(path());
    RunStart start = start_of(level);
    start.seed = seed;
    if (!program.empty()) start.program = program;
    const auto run = writer.begin_run(start);
    writer.detach(run, {.wall_ns = 2'000'000'000});
    writer.end_run(run, 0);
    writer.add_trial(run, trial);
  }
  search::Journal journal(std::int64_t first_seed = kFirstSeed) const {
    return journal_of(queries::Report(path()), search::SearchProblem{},
                      {.program = start_of("").program, .level = "O1", .first_seed = first_seed});
  }

 private:
  testing_reports::TemporaryFolder folder_;
};

TEST_F(SearchReports, HoldRunsByPolicyAndRepeat) {
  add(1, {.policy = "exp fp32\n", .metric = "loss", .value = 0.5});
  add(3, {.policy = "exp fp32\n", .metric = "loss", .value = std::nullopt});
  const search::Journal read = journal();
  const auto& runs = read.of("exp fp32\n");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs.at(0).value, 0.5);
  EXPECT_EQ(runs.at(0).seconds, 2.0);
  EXPECT_FALSE(runs.at(2).value) << "it failed";
}

TEST_F(SearchReports, HoldOtherSearchesToo) {
  add(1, {.policy = "", .metric = "overflows", .value = 0.5});
  add(1, {.policy = "", .metric = "loss", .value = 0.5}, "O2");
  add(1, {.policy = "", .metric = "loss", .value = 0.5}, "O1", "./other");
  EXPECT_TRUE(journal().of("").empty());
  add(4, {.policy = "", .metric = "loss", .value = 0.5});
  EXPECT_TRUE(journal().of("").contains(3));
  EXPECT_TRUE(journal(4).of("").contains(0));
  EXPECT_TRUE(journal(5).of("").empty()) << "a seed of a search that began elsewhere";
}

TEST(LevelOfSearch, IsTheOneWherePoliciesCount) {
  queries::RunRow run;
  run.level = "O2";
  EXPECT_EQ(level_of_search(run), "O1");
  run.level = "";
  run.reduced_type = DType::Half;
  EXPECT_EQ(level_of_search(run), "") << "the program brings its types";
}

}  // namespace search_journal_test
}  // namespace ampprof::analysis
