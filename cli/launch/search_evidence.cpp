// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/search_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "amp_core/levels/level.h"
#include "analysis/advised_run.h"
#include "analysis/search_journal.h"
#include "precision/advice/policy_evaluation.h"

namespace ampprof::cli {
namespace {

constexpr std::int64_t kSurveyedSteps = 50;

bool is_survey(const queries::RunRow& run, const std::string& program, const std::vector<queries::TrialRow>& trials) {
  if (std::ranges::find(trials, run.run, &queries::TrialRow::run) != trials.end()) return false;
  return run.program == program && run.complete && run.exit_code == 0 && run.reference != "off";
}

}  // namespace

SearchEvidence::SearchEvidence(std::filesystem::path report, std::string program)
    : report_(std::move(report)), program_(std::move(program)) {
  read();
}

void SearchEvidence::read() {
  const queries::Report report(report_);
  runs_ = queries::runs(report);
  if (!program_.empty()) {
    const std::vector<queries::TrialRow> trials = queries::trials(report);
    std::erase_if(runs_, [&](const queries::RunRow& run) { return !is_survey(run, program_, trials); });
  }
  run_ = analysis::run_to_advise(runs_);
}

std::optional<std::string> SearchEvidence::next_level(bool has_amp_core) const {
  if (runs_.empty() && !has_amp_core) return "";
  const std::string patching(amp::level_that_patches());
  if (std::ranges::find(runs_, patching, &queries::RunRow::level) != runs_.end()) return std::nullopt;
  return patching;
}

std::string SearchEvidence::why_none() const {
  return fmt::format(
      "No run of {} computes in a reduced type, so there is nothing to keep from it. See: ampprof show {} runs",
      report_.string(), report_.string());
}

std::string SearchEvidence::level() const { return analysis::level_of_search(*run_); }

search::Candidates SearchEvidence::candidates() const {
  const queries::Report report(report_);
  const advice::Evidence evidence = analysis::evidence_of(report, *run_, runs_);
  return search::candidates_of(advice::PolicyEvaluation(evidence));
}

RunOptions survey_options_of(RunOptions options, std::optional<std::int64_t> steps) {
  options.reference = "fp32";
  options.inherited = options.impact = true;
  if (steps) {
    options.deep_every = std::max<std::int64_t>(*steps / kSurveyedSteps, 1);
  } else {
    options.steps = StepRange{.first = 1, .last = kSurveyedSteps};
  }
  return options;
}

}  // namespace ampprof::cli
