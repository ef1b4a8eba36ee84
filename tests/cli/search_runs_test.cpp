// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/search_runs.h"

#include <gtest/gtest.h>

#include "analysis/search_journal.h"
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

  /// Adds a run at O1 that calls one function, in this type.
  std::int64_t add_run_in(DType type) {
    store::ReportWriter writer(path());
    const auto run = writer.begin_run(start_of("O1"));
    Batch batch = testing_reports::two_steps();
    for (OpCall& call : batch.calls) call.dtype_out = type;
    writer.append(run, batch);
    writer.detach(run, {.wall_ns = 1});
    writer.end_run(run, 0);
    return run;
  }

  /// Adds a run that ended in some way and was a trial, with a loss in each of two steps.
  void add_trial(std::int64_t seed, const std::string& policy, std::optional<double> value, int exit_code) {
    store::ReportWriter writer(path());
    RunStart start = start_of("O1");
    start.seed = seed;
    const auto run = writer.begin_run(start);
    Batch batch;
    batch.substeps = testing_reports::two_steps().substeps;
    batch.losses = testing_reports::two_steps().losses;
    writer.append(run, batch);
    writer.end_run(run, exit_code);
    writer.add_trial(run, {.policy = policy, .metric = "loss", .value = value});
  }

  search::Journal journal(const search::Question& question) const {
    return analysis::journal_of(queries::Report(path()), question, {start_of("").program, "O1", 1});
  }

  SearchEvidence evidence(const std::string& program = start_of("").program, const std::string& type = "") const {
    return {path(), program, type};
  }

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

TEST_F(SearchReport, TakesRunsInTheTypeThatWasAskedFor) {
  EXPECT_EQ(evidence(start_of("").program, "bf16").next_level(/*has_amp_core=*/false), "O1")
      << "the program's own types are no matter then";
  add_run_in(DType::Half);
  EXPECT_FALSE(evidence(start_of("").program, "bf16").is_known());
  EXPECT_EQ(evidence(start_of("").program, "bf16").why_none(),
            "No run of " + path().string() +
                " computes in bf16 at O1, so there is nothing to keep from it. See: ampprof show " + path().string() +
                " runs");
  EXPECT_EQ(evidence().type(), "") << "the program decides";
  EXPECT_EQ(evidence("").type(), "fp16") << "as in the report that was named";
  add_run_in(DType::BFloat16);
  ASSERT_TRUE(evidence(start_of("").program, "bf16").is_known());
  EXPECT_EQ(evidence(start_of("").program, "bf16").type(), "bf16");
}

TEST_F(SearchReport, HoldsItsTrialsBySeed) {
  add_trial(3, "a fp32\n", 2.25, 0);
  add_trial(0, "a fp32\n", 9.0, 0);
  const search::Question question{.candidates = {.all = {{"a fp32", ""}, {"b fp32", ""}}}};
  const auto& runs = journal(question).of("a fp32\n");
  ASSERT_EQ(runs.size(), 1u) << "the seed before the first is another search's";
  EXPECT_EQ(runs.at(2).value, 2.25);
  EXPECT_EQ(runs.at(2).final_loss, 2.25);
  EXPECT_TRUE(runs.at(2).losses.empty());
}

TEST_F(SearchReport, HoldsTheLossesThatOthersAreStoppedFor) {
  add_trial(1, "a fp32\nb fp32\n", 2.25, 0);
  add_trial(1, "a fp32\n", std::nullopt, 128 + 15);
  add_trial(1, "b fp32\n", std::nullopt, 0);
  add_trial(1, "", std::nullopt, 1);
  const search::Question question{.candidates = {.all = {{"a fp32", ""}, {"b fp32", ""}}}};
  const search::Journal read = journal(question);
  const search::Losses losses{2.5, 2.0};
  EXPECT_EQ(read.of("a fp32\nb fp32\n").at(0).losses, losses);
  EXPECT_EQ(read.of("a fp32\n").at(0).losses, losses);
  EXPECT_TRUE(read.of("a fp32\n").at(0).was_stopped());
  EXPECT_TRUE(read.of("b fp32\n").at(0).was_stopped()) << "it ended well, but nobody took its loss";
  EXPECT_FALSE(read.of("").at(0).was_stopped()) << "it failed by itself";
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
