// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/search/search_runs.h"

#include <gtest/gtest.h>

#include "analysis/diagnosis/search_journal.h"
#include "cli/launch/search/search_evidence.h"
#include "reports/recording/options.h"
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

  /// Adds a run of a program that computes nothing, with exit code 0 by default.
  std::int64_t add_run(const std::string& level, const std::string& reference = "fp32", int exit_code = 0) {
    store::ReportWriter writer(path());
    RunStart start = start_of(level);
    start.reference = reference;
    const auto run = writer.begin_run(start);
    writer.detach(run, {.wall_ns = 1});
    writer.end_run(run, exit_code);
    return run;
  }

  /// Adds a run at O1 whose op calls return tensors of this dtype.
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

  /// Adds the run of a trial, with a loss in each of two steps.
  void add_trial(std::int64_t seed, const std::string& policy, std::optional<double> value, int exit_code) {
    store::ReportWriter writer(path());
    RunStart start = start_of("O1");
    start.seed = seed;
    const auto run = writer.begin_run(start);
    Batch batch;
    batch.segments = testing_reports::two_steps().segments;
    batch.losses = testing_reports::two_steps().losses;
    writer.append(run, batch);
    writer.end_run(run, exit_code);
    writer.add_trial(run, {.policy = policy, .metric = "loss", .value = value});
  }

  search::Journal journal(const search::SearchProblem& question) const {
    return analysis::journal_of(queries::Report(path()), question, {start_of("").program, "O1", 1});
  }

  std::unique_ptr<SearchEvidence> evidence(const std::string& program = start_of("").program,
                                           const std::string& type = "") const {
    return evidence_for_search({.report = path(), .program = program, .type = type});
  }

  std::unique_ptr<SearchEvidence> evidence_on_nvfp4(const std::string& type, bool has_amp_core) const {
    return evidence_for_search({.report = path(),
                                .program = start_of("").program,
                                .type = type,
                                .recipe = "nvfp4",
                                .has_amp_core = has_amp_core});
  }

  std::optional<std::string> next_level(const std::string& type = "", bool has_amp_core = false) const {
    const auto survey =
        evidence_for_search(
            {.report = path(), .program = start_of("").program, .type = type, .has_amp_core = has_amp_core})
            ->next_survey({});
    return survey ? std::optional(survey->level) : std::nullopt;
  }

 private:
  testing_reports::TemporaryFolder folder_;
};

TEST_F(SearchReport, IsBegunWithTheProgramAsItIsAndThenWithCasts) {
  EXPECT_FALSE(evidence()->is_known());
  EXPECT_EQ(next_level(), "");
  EXPECT_EQ(next_level("", /*has_amp_core=*/true), "O1");
  add_run("");
  EXPECT_FALSE(evidence()->is_known()) << "it computes nothing in a reduced type";
  EXPECT_EQ(next_level(), "O1");
}

TEST_F(SearchReport, TakesTheRunWithCasts) {
  add_run("");
  add_run("O1");
  ASSERT_TRUE(evidence()->is_known());
  EXPECT_EQ(evidence()->level(), "O1");
  EXPECT_TRUE(evidence()->candidates().all.empty());
  EXPECT_EQ(next_level(), std::nullopt);
}

TEST_F(SearchReport, DoesNotTakeRunsOfOthersNorTrialsNorThoseThatFailed) {
  add_run("O1", "fp32", 1);
  add_run("O1", "off");
  store::ReportWriter(path()).add_trial(add_run("O1"), {.policy = "", .metric = "loss", .value = 1.0});
  EXPECT_FALSE(evidence()->is_known());
  add_run("O1");
  EXPECT_TRUE(evidence()->is_known());
  EXPECT_FALSE(evidence("./other")->is_known());
  EXPECT_TRUE(evidence("")->is_known()) << "whatever is in a report that was named";
}

TEST_F(SearchReport, TakesRunsInTheTypeThatWasAskedFor) {
  EXPECT_EQ(next_level("bf16"), "O1") << "the program's own types do not matter then";
  add_run_in(DType::Half);
  EXPECT_FALSE(evidence(start_of("").program, "bf16")->is_known());
  EXPECT_EQ(evidence(start_of("").program, "bf16")->why_none(),
            "No run of " + path().string() +
                " computes in bf16 at O1, so there is nothing to keep in FP32. See: ampprof show " + path().string() +
                " runs");
  EXPECT_EQ(evidence()->type(), "") << "the program decides";
  EXPECT_EQ(evidence("")->type(), "fp16") << "as in the report that was named";
  add_run_in(DType::BFloat16);
  ASSERT_TRUE(evidence(start_of("").program, "bf16")->is_known());
  EXPECT_EQ(evidence(start_of("").program, "bf16")->type(), "bf16");
}

TEST_F(SearchReport, OnARecipeIsBegunWithWhatItWouldDo) {
  const auto level = [&](const std::string& type, bool has_amp_core) {
    return evidence_on_nvfp4(type, has_amp_core)->next_survey({}).value().level;
  };
  EXPECT_EQ(level("", false), "") << "the program as it is";
  EXPECT_EQ(level("", true), "O0") << "which would choose casts by itself";
  EXPECT_EQ(level("bf16", true), "O1");
  RunOptions options;
  options.recipe = "nvfp4";
  const Survey survey = evidence_on_nvfp4("", false)->next_survey(options).value();
  EXPECT_EQ(survey.options.record.what_if, "nvfp4");
  EXPECT_EQ(survey.options.recipe, "") << "the program is not changed";
}

TEST_F(SearchReport, OnARecipeEndsWhereARunSaysNothingOfIt) {
  add_run("O0");
  EXPECT_TRUE(evidence_on_nvfp4("", true)->next_survey({})) << "it did not ask";
  store::ReportWriter writer(path());
  RunStart start = start_of("O0");
  start.what_if = "nvfp4";
  const auto run = writer.begin_run(start);
  writer.detach(run, {.wall_ns = 1});
  writer.end_run(run, 0);
  const auto evidence = evidence_on_nvfp4("", true);
  EXPECT_FALSE(evidence->is_known());
  EXPECT_FALSE(evidence->next_survey({}));
  EXPECT_NE(evidence->why_none().find("does not predict what nvfp4 does to the loss"), std::string::npos);
}

TEST_F(SearchReport, HoldsItsTrialsBySeed) {
  add_trial(3, "a fp32\n", 2.25, 0);
  add_trial(0, "a fp32\n", 9.0, 0);
  const search::SearchProblem question{.candidates = {.all = {{"a fp32", ""}, {"b fp32", ""}}}};
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
  const search::SearchProblem question{.candidates = {.all = {{"a fp32", ""}, {"b fp32", ""}}}};
  const search::Journal read = journal(question);
  const search::Losses losses{2.5, 2.0};
  EXPECT_EQ(read.of("a fp32\nb fp32\n").at(0).losses, losses);
  EXPECT_EQ(read.of("a fp32\n").at(0).losses, losses);
  EXPECT_TRUE(read.of("a fp32\n").at(0).was_stopped());
  EXPECT_TRUE(read.of("b fp32\n").at(0).was_stopped()) << "it ended well, but its loss was not read";
  EXPECT_FALSE(read.of("").at(0).was_stopped()) << "it failed by itself";
}

TEST(Survey, LooksAtFiftySteps) {
  EXPECT_EQ(survey_options_of({}, 200).record.deep_every, 4);
  EXPECT_EQ(survey_options_of({}, 20).record.deep_every, 1);
  const recording::Options unknown = survey_options_of({}, std::nullopt).record;
  EXPECT_EQ(unknown.first_step, 1);
  EXPECT_EQ(unknown.last_step, 50);
  EXPECT_TRUE(unknown.impact);
}

TEST(SearchLine, TellsHowFarItHasCome) {
  EXPECT_EQ(search_line({.running = 1, .seconds_left = 1800}, 80),
            "search  looking for candidates  1 running  30:00 left");
  EXPECT_EQ(search_line({.evaluations = 7, .best = 3, .candidates = 41, .running = 2, .seconds_left = 65}, 80),
            "search  7 sets tried  best: 3 of 41 functions  2 running  1:05 left");
  EXPECT_EQ(
      search_line({.evaluations = 1, .best = std::nullopt, .candidates = 41, .running = 1, .seconds_left = 0}, 80),
      "search  1 set tried  1 running  0:00 left");
  EXPECT_EQ(search_line({.evaluations = 7, .best = 1, .candidates = 41, .unit = "matmul", .running = 2}, 80),
            "search  7 sets tried  best: 1 of 41 matmuls  2 running  0:00 left");
  EXPECT_LE(text::display_width(search_line({.evaluations = 7, .candidates = 41}, 20)), 20);
}

}  // namespace search_runs_test
}  // namespace ampprof::cli
