// SPDX-License-Identifier: Apache-2.0
#include "views/search/search.h"

#include <gtest/gtest.h>

namespace ampprof::views {
namespace search_test {

using search::Verdict;

/// Returns a search among three functions. Its result is that only the first function needs FP32.
search::Result a_result() {
  search::Result result;
  result.question.candidates = {.all = {{"exp fp32", "exp overflows."}, {"mm fp32 in fc", ""}, {"mul fp32", ""}},
                                .advised = 1};
  result.findings.tolerance = 0.25;
  result.findings.repeats_agree = true;
  result.findings.best = {.set = search::Set{0}, .open = {}};
  result.findings.evaluations = {
      {.set = {0, 1, 2}, .verdict = Verdict::Pass, .runs = 2, .metric = search::Estimate{2.0, 0.5}, .seconds = 3},
      {.set = {0}, .verdict = Verdict::Pass, .runs = 1, .metric = search::Estimate{2.1}, .seconds = 1},
      {.set = {}, .verdict = Verdict::Fail, .runs = 1, .failed = 1, .seconds = 1}};
  return result;
}

std::string table_of(const search::Result& result) { return formatted(result, Format::Table, {.width = 200}); }

bool says(const search::Result& result, const std::string& part) {
  return table_of(result).find(part) != std::string::npos;
}

TEST(SearchView, PrintsTheSetTheRunsAndHowSureItIs) {
  EXPECT_EQ(table_of(a_result()),
            "Keep 1 of 3 functions in FP32: the final loss stays within 0.250 of the run with all 3 in FP32, but not "
            "if it is left out.\n"
            "\n"
            "    exp fp32\n"
            "\n"
            "kept  set         verdict  metric  runs    time\n"
            "   3  everything  pass     2 ±0.5     2  3.00 s\n"
            "   1  exp fp32    pass       2.10     1  1.00 s\n"
            "   0  nothing     fail          -     1  1.00 s\n"
            "\n"
            "1 run failed and gave no finite value of the final loss.\n"
            "Two runs with different seeds were equal to the last bit, so each set was decided by one run.\n");
}

TEST(SearchView, SaysThatNothingIsNeeded) {
  search::Result result = a_result();
  result.findings.best.set = search::Set{};
  EXPECT_TRUE(
      says(result, "Nothing needs to stay in FP32: the final loss stays within 0.250 of the run with all 3 in FP32"));
}

TEST(SearchView, SaysWhatTheBudgetLeftOpen) {
  search::Result result = a_result();
  result.stop = search::Stop::OutOfTime;
  result.findings.best = {.set = search::Set{0, 1}, .open = {1}};
  EXPECT_TRUE(says(
      result,
      "So far, keep 2 of 3 functions in FP32: the final loss stays within 0.250 of the run with all 3 in FP32.\n"));
  EXPECT_TRUE(says(result,
                   "Not decided: whether the set passes without one of mm fp32 in fc. The budget is spent; the same "
                   "command resumes from here.\n"));
  EXPECT_EQ(to_json(result).at("minimal"), false);
  EXPECT_EQ(to_json(result).at("finished"), false);
  EXPECT_EQ(to_json(result).at("open"), Json({"mm fp32 in fc"}));
}

TEST(SearchView, DoesNotNameAllOfASetOfWhichNothingIsKnown) {
  search::Result result = a_result();
  result.stop = search::Stop::Interrupted;
  result.findings.best = {.set = search::Set{0, 1}, .open = {0, 1}};
  EXPECT_TRUE(says(result,
                   "Not decided: which members of this set can be left out. The search was interrupted; the same "
                   "command resumes from here.\n"));
}

TEST(SearchView, SaysThatRunsDifferTooMuch) {
  search::Result result = a_result();
  result.findings.repeats_agree = false;
  result.findings.best = {.set = search::Set{0, 1}, .open = {1}};
  EXPECT_TRUE(says(result, "Runs differ too much to decide"));
}

TEST(SearchView, PrintsTheProbabilityOfAnError) {
  search::Result result = a_result();
  result.findings.repeats_agree = false;
  EXPECT_TRUE(says(result,
                   "Each tested verdict is wrong with a probability of at most 1%; at least one of the 1 tested "
                   "verdicts is wrong with a probability of at most 1%."));
  EXPECT_EQ(to_json(result).at("error_probability"), 0.01);
  EXPECT_EQ(to_json(result).at("tested"), 1);
  EXPECT_EQ(to_json(a_result()).at("error_probability"), 0.0);
}

TEST(SearchView, SaysWhatWasStoppedEarly) {
  search::Result result = a_result();
  result.findings.evaluations[2].stopped = 1;
  EXPECT_TRUE(says(result, "\n1 run was stopped early, because the losses were clearly beyond the tolerance.\n"));
  EXPECT_FALSE(says(result, "failed and"));
  result.findings.evaluations[2] = {.set = {}, .verdict = Verdict::Fail, .runs = 4, .failed = 4, .stopped = 2};
  EXPECT_TRUE(says(result,
                   "2 runs failed and gave no finite value of the final loss. 2 runs were stopped early, because the "
                   "losses were clearly beyond the tolerance.\n"));
  EXPECT_EQ(search_view(result).records[2].json.at("stopped_runs"), 2);
}

TEST(SearchView, SaysThatNoSetPasses) {
  search::Result result = a_result();
  result.question.metric = search::metric_from("dice (.*)", true);
  result.findings = {};
  EXPECT_TRUE(says(
      result, "No set passes: with all 3 functions in FP32, 'dice (.*)' is not a finite number or the program fails."));
  EXPECT_EQ(to_json(result).at("policy"), Json());
  EXPECT_EQ(to_json(result).at("error_probability"), Json());
  EXPECT_EQ(to_json(result).at("metric"), "dice (.*)");
  EXPECT_EQ(to_json(result).at("higher_is_better"), true);
  result.stop = search::Stop::Interrupted;
  EXPECT_TRUE(says(result, "The search was stopped before any set passed."));
}

TEST(SearchView, HasARowForEachSet) {
  const View view = search_view(a_result());
  ASSERT_EQ(view.records.size(), 3u);
  const Json& row = view.records[0].json;
  EXPECT_EQ(row.at("functions"), 3);
  EXPECT_EQ(row.at("policy"), Json({"exp fp32", "mm fp32 in fc", "mul fp32"}));
  EXPECT_EQ(row.at("verdict"), "pass");
  EXPECT_EQ(row.at("metric"), 2.0);
  EXPECT_EQ(row.at("standard_error"), 0.5);
  EXPECT_EQ(view.records[2].json.at("metric"), Json());
  EXPECT_EQ(view.records[2].json.at("failed_runs"), 1);
}

TEST(SearchView, NamesWhatAskedForASetAndWhetherItRuns) {
  search::Result result = a_result();
  result.findings.evaluations[1].stage = search::Stage::OneByOne;
  result.findings.evaluations[2].verdict = Verdict::Undecided;
  result.findings.evaluations[2].running = 1;
  const View view = search_view(result);
  EXPECT_EQ(view.records[0].json.at("stage"), "everything");
  EXPECT_EQ(view.records[1].json.at("stage"), "one by one");
  EXPECT_EQ(view.records[2].json.at("verdict"), "running");
}

}  // namespace search_test
}  // namespace ampprof::views
