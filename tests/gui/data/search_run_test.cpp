// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/search_run.h"

#include <gtest/gtest.h>

#include "gui/data/report_file.h"
#include "tests/cli/layered_report.h"
#include "tests/gui/recipes_report.h"
#include "tests/gui/search_trials.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace search_run_test {

using search::Stage;
using search::Verdict;

TEST(SearchCommand, NamesWhatIsNotAsUsual) {
  EXPECT_TRUE(
      searchCommand({.program = "./train --data 'my set'"}, "", "a b.ampprof", "a b-search.ampprof")
          .endsWith("search --start 'a b.ampprof' --budget 30m -o 'a b-search.ampprof' -- ./train --data 'my set'"));
  const SearchSettings settings{.program = "./train",
                                .metric = "accuracy ([0-9.]+)",
                                .higher = true,
                                .within = "0.5",
                                .minutes = 5,
                                .parallel = 2};
  EXPECT_TRUE(
      searchCommand(settings, "", "r.ampprof", "s.ampprof")
          .endsWith("search --start r.ampprof --metric 'accuracy ([0-9.]+)' --higher --tolerance 0.5 --budget 5m "
                    "--parallel 2 -o s.ampprof -- ./train"))
      << searchCommand(settings, "", "r.ampprof", "s.ampprof").toStdString();
}

TEST(SearchSettings, AreWrongInASentence) {
  EXPECT_EQ(faultOf({.program = "./train"}), "");
  EXPECT_TRUE(faultOf({.program = " "}).contains("Enter a command"));
  EXPECT_TRUE(faultOf({.program = "p", .metric = "accuracy"}).contains("has no group"));
  EXPECT_TRUE(faultOf({.program = "p", .within = "a lot"}).contains("tolerance"));
}

TEST(SearchCommand, NamesARecipe) {
  EXPECT_TRUE(searchCommand({.program = "./train"}, "nvfp4", "r.ampprof", "s.ampprof")
                  .endsWith("search --start r.ampprof --recipe nvfp4 --budget 30m -o s.ampprof -- ./train"));
}

TEST(SearchReport, IsBesideTheReport) {
  EXPECT_EQ(searchReport("/x/digits.ampprof"), "/x/digits-search.ampprof");
  EXPECT_EQ(searchReport("/x/digits.ampprof", "nvfp4"), "/x/digits-search-nvfp4.ampprof");
  EXPECT_EQ(searchReport("/x/digits.ampprof", "../my/own.recipe"), "/x/digits-search-own.recipe.ampprof");
}

class SearchesOfLayers : public testing::Test {
 protected:
  search::SearchState read(std::size_t running) const {
    return SearchReader((folder_ / "s.ampprof").string()).read(question_, subject_, running);
  }

  test_support::TemporaryFolder folder_;
  SearchSubject subject_ =
      (cli::write_layered_report(folder_ / "r.ampprof"), subjectOf(*advisedBoard(ReportFile(folder_ / "r.ampprof"))));
  search::SearchProblem question_ = questionOf({.program = kSearchedProgram}, subject_);
};

TEST_F(SearchesOfLayers, AreInTheTypeOfTheReport) {
  EXPECT_EQ(question_.base, "low_type fp16\n") << "as the command line has it with --start";
}

TEST_F(SearchesOfLayers, BeginWithoutAReport) {
  EXPECT_EQ(question_.candidates.all.size(), 6u);
  EXPECT_TRUE(read(0).evaluations.empty());
  const search::SearchState begun = read(1);
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
  const search::SearchState findings = read(1);
  ASSERT_EQ(findings.evaluations.size(), 2u);
  EXPECT_EQ(findings.evaluations[0].verdict, Verdict::Pass);
  EXPECT_EQ(findings.evaluations[0].runs, 2u);
  EXPECT_EQ(findings.evaluations[1].running, 1u) << "what is advised";
  EXPECT_EQ(findings.best.set, all);
}

TEST(SearchSubject, OfARecipeKeepsSingleMatmuls) {
  const test_support::TemporaryFolder folder;
  writeTwoRecipes(folder / "r.ampprof");
  const auto board = readRecipes(folder / "r.ampprof");
  const TriedRecipe nvfp4 = board->recipes().back();
  const SearchSubject subject = subjectOf(*board, nvfp4);
  EXPECT_EQ(subject.recipe, "nvfp4");
  EXPECT_EQ(subject.base, "recipe nvfp4\n");
  EXPECT_EQ(subject.level, "O0");
  EXPECT_EQ(subject.candidates.unit, "matmul");
  ASSERT_EQ(subject.candidates.all.size(), 15U) << "three of each of five layers that it rounds";
  const std::string& first = subject.candidates.all.front().line;
  const KeptPlaces places = placesOf({first, "no.such fprop bf16"}, *board, nvfp4);
  ASSERT_EQ(places.size(), 1U);
  const KeptMatmul& kept = board->candidates()[places[0]];
  EXPECT_EQ(first, kept.module + " " + std::string(name_of(kept.matmul)) + " bf16");
}

TEST(SearchSubject, OfAScreenedRecipeHasNoOrderToTryMatmulsIn) {
  const test_support::TemporaryFolder folder;
  writeTwoRecipes(folder / "r.ampprof", transformer(), false);
  const auto board = readRecipes(folder / "r.ampprof");
  EXPECT_TRUE(subjectOf(*board, board->recipes().front()).candidates.all.empty());
}

}  // namespace search_run_test
}  // namespace ampprof::gui
