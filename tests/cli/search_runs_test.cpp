// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/search_runs.h"

#include <gtest/gtest.h>

#include "cli/launch/search_evidence.h"
#include "reports/text/elide.h"
#include "tests/reports/sample_report.h"

namespace ampprof::cli {
namespace search_runs_test {

using testing_reports::start_of;

/// A report that a search records into.
class SearchReport : public testing::Test {
 protected:
  SearchReport() { store::create_report(path(), false); }

  std::filesystem::path path() const { return folder_ / "search.ampprof"; }

  /// Adds a run of a program that computes nothing, ended well unless it is said.
  std::int64_t add_run(const std::string& level, const std::string& reference = "fp32", int exit_code = 0) {
    store::ReportWriter writer(path());
    RunStart start = start_of(level);
    start.reference = reference;
    const auto run = writer.begin_run(start);
    writer.detach(run, {.wall_ns = 1});
    writer.end_run(run, exit_code);
    return run;
  }

  SearchEvidence evidence(const std::string& program = start_of("").program) const { return {path(), program}; }

 private:
  testing_reports::TemporaryFolder folder_;
};

TEST_F(SearchReport, IsBegunWithTheProgramAsItIsAndThenWithCasts) {
  EXPECT_FALSE(evidence().is_known());
  EXPECT_EQ(evidence().next_level(/*has_amp_core=*/false), "");
  EXPECT_EQ(evidence().next_level(/*has_amp_core=*/true), "O1");
  add_run("");
  EXPECT_FALSE(evidence().is_known()) << "it computes nothing in a reduced type";
  EXPECT_EQ(evidence().next_level(false), "O1");
}

TEST_F(SearchReport, TakesTheRunWithCasts) {
  add_run("");
  add_run("O1");
  ASSERT_TRUE(evidence().is_known());
  EXPECT_EQ(evidence().level(), "O1");
  EXPECT_TRUE(evidence().candidates().all.empty());
  EXPECT_EQ(evidence().next_level(false), std::nullopt);
}

TEST_F(SearchReport, DoesNotTakeRunsOfOthersNorTrialsNorThoseThatFailed) {
  add_run("O1", "fp32", 1);
  add_run("O1", "off");
  store::ReportWriter(path()).add_trial(add_run("O1"), {.policy = "", .metric = "loss", .value = 1.0});
  EXPECT_FALSE(evidence().is_known());
  add_run("O1");
  EXPECT_TRUE(evidence().is_known());
  EXPECT_FALSE(evidence("./other").is_known());
  EXPECT_TRUE(evidence("").is_known()) << "whatever is in a report that was named";
}

TEST(Survey, LooksAtFiftySteps) {
  EXPECT_EQ(survey_options_of({}, 200).deep_every, 4);
  EXPECT_EQ(survey_options_of({}, 20).deep_every, 1);
  EXPECT_EQ(survey_options_of({}, std::nullopt).steps, (StepRange{1, 50}));
  EXPECT_EQ(survey_options_of({}, std::nullopt).impact, true);
}

TEST(SearchLine, TellsHowFarItHasCome) {
  EXPECT_EQ(search_line({.running = 1, .seconds_left = 1800}, 80),
            "search  looking for candidates  1 running  30:00 left");
  EXPECT_EQ(search_line({.evaluations = 7, .best = 3, .candidates = 41, .running = 2, .seconds_left = 65}, 80),
            "search  7 sets tried  best: 3 of 41 functions  2 running  1:05 left");
  EXPECT_EQ(
      search_line({.evaluations = 1, .best = std::nullopt, .candidates = 41, .running = 1, .seconds_left = 0}, 80),
      "search  1 set tried  1 running  0:00 left");
  EXPECT_LE(text::display_width(search_line({.evaluations = 7, .candidates = 41}, 20)), 20);
}

}  // namespace search_runs_test
}  // namespace ampprof::cli
