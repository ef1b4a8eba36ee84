// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/search_run.h"

#include <gtest/gtest.h>

#include "gui/data/report_file.h"
#include "tests/cli/layered_report.h"
#include "tests/gui/search_trials.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace search_run_test {

using search::Stage;
using search::Verdict;

TEST(SearchCommand, NamesWhatIsNotAsUsual) {
  EXPECT_TRUE(
      searchCommand({.program = "./train --data 'my set'"}, "a b.ampprof", "a b-search.ampprof")
          .endsWith("search --start 'a b.ampprof' --budget 30m -o 'a b-search.ampprof' -- ./train --data 'my set'"));
  const SearchSettings settings{.program = "./train",
                                .metric = "accuracy ([0-9.]+)",
                                .higher = true,
                                .within = "0.5",
                                .minutes = 5,
                                .parallel = 2};
  EXPECT_TRUE(searchCommand(settings, "r.ampprof", "s.ampprof")
                  .endsWith("search --start r.ampprof --metric 'accuracy ([0-9.]+)' --higher --within 0.5 --budget 5m "
                            "--parallel 2 -o s.ampprof -- ./train"))
      << searchCommand(settings, "r.ampprof", "s.ampprof").toStdString();
}

TEST(SearchSettings, AreWrongInASentence) {
  EXPECT_EQ(faultOf({.program = "./train"}), "");
  EXPECT_TRUE(faultOf({.program = " "}).contains("No program"));
  EXPECT_TRUE(faultOf({.program = "p", .metric = "accuracy"}).contains("has no group"));
  EXPECT_TRUE(faultOf({.program = "p", .within = "a lot"}).contains("tolerance"));
}

TEST(SearchReport, IsBesideTheReport) { EXPECT_EQ(searchReport("/x/digits.ampprof"), "/x/digits-search.ampprof"); }

class SearchesOfLayers : public testing::Test {
 protected:
  search::Findings read(std::size_t running) const {
    return searchedSoFar((folder_ / "s.ampprof").string(), question_, *board_, running);
  }

  test_support::TemporaryFolder folder_;
  std::shared_ptr<const Board> board_ =
      (cli::write_layered_report(folder_ / "r.ampprof"), ReportFile(folder_ / "r.ampprof").board());
  search::Question question_ = questionOf({.program = kSearchedProgram}, *board_);
};

TEST_F(SearchesOfLayers, AreInTheTypeOfTheReport) {
  EXPECT_EQ(question_.base, "low_type fp16\n") << "as the command line has it with --start";
}

TEST_F(SearchesOfLayers, BeginWithoutAReport) {
  EXPECT_EQ(question_.candidates.all.size(), 6u);
  EXPECT_TRUE(read(0).evaluations.empty());
  const search::Findings begun = read(1);
  ASSERT_EQ(begun.evaluations.size(), 1u);
  EXPECT_EQ(begun.evaluations[0].stage, Stage::Everything);
  EXPECT_EQ(begun.evaluations[0].running, 1u);
}

TEST_F(SearchesOfLayers, AreReadFromTheirTrials) {
  SearchTrials trials(folder_ / "s.ampprof", question_);
  search::Set all;
  for (std::size_t i = 0; i < 6; ++i) all.push_back(i);
  trials.add(all, 0, 1.0);
  trials.add(all, 1, 1.0);
  trials.add({}, 0, 9.0);
  const search::Findings findings = read(1);
  ASSERT_EQ(findings.evaluations.size(), 2u);
  EXPECT_EQ(findings.evaluations[0].verdict, Verdict::Pass);
  EXPECT_EQ(findings.evaluations[0].runs, 2u);
  EXPECT_EQ(findings.evaluations[1].running, 1u) << "what is advised";
  EXPECT_EQ(findings.best.set, all);
}

}  // namespace search_run_test
}  // namespace ampprof::gui
