// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/search_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "amp_core/levels/level.h"
#include "analysis/advised_run.h"
#include "analysis/search_journal.h"
#include "precision/advice/policy_evaluation.h"
#include "reports/queries/trials.h"
#include "reports/text/elide.h"
#include "reports/text/shell_text.h"

namespace ampprof::cli {
namespace {

constexpr std::int64_t kSurveyedSteps = 50;

bool is_survey(const queries::RunRow& run, const std::string& program, const std::vector<queries::TrialRow>& trials) {
  if (std::ranges::find(trials, run.run, &queries::TrialRow::run) != trials.end()) return false;
  return run.program == program && run.complete && run.exit_code == 0 && run.reference != "off";
}

}  // namespace

SearchEvidence::SearchEvidence(std::filesystem::path report, std::string program, std::string type)
    : report_(std::move(report)), program_(std::move(program)), type_(std::move(type)) {
  read();
}

void SearchEvidence::read() {
  const queries::Report report(report_);
  runs_ = queries::runs(report);
  if (!program_.empty()) {
    const std::vector<queries::TrialRow> trials = queries::trials(report);
    std::erase_if(runs_, [&](const queries::RunRow& run) { return !is_survey(run, program_, trials); });
  }
  if (!type_.empty())
    std::erase_if(runs_, [&](const queries::RunRow& run) { return !analysis::casts_into(run, type_); });
  run_ = analysis::run_to_advise(runs_);
}

std::optional<std::string> SearchEvidence::next_level(bool has_amp_core) const {
  if (runs_.empty() && !has_amp_core && type_.empty()) return "";
  const std::string patching(amp::level_that_patches());
  if (std::ranges::find(runs_, patching, &queries::RunRow::level) != runs_.end()) return std::nullopt;
  return patching;
}

std::string SearchEvidence::why_none() const {
  const std::string type = type_.empty() ? "a reduced type" : type_ + " at " + std::string(amp::level_that_patches());
  return fmt::format("No run of {} computes in {}, so there is nothing to keep from it. See: ampprof show {} runs",
                     report_.string(), type, text::shell_text({report_.string()}));
}

std::string SearchEvidence::level() const { return analysis::level_of_search(*run_); }

std::string SearchEvidence::type() const {
  if (!type_.empty() || !program_.empty()) return type_;
  return analysis::type_of_search(*run_);
}

search::Candidates SearchEvidence::candidates() const {
  const queries::Report report(report_);
  const advice::Evidence evidence = analysis::evidence_of(report, *run_, runs_);
  return search::candidates_of(advice::PolicyEvaluation(evidence));
}

std::vector<std::string> SearchEvidence::doubts(const std::string& command,
                                                const search::Candidates& candidates) const {
  std::vector<std::string> doubts;
  const std::string report = text::shell_text({report_.string()});
  if (run_->program != command) {
    doubts.push_back(
        fmt::format("{} is of another command line, {}: functions that are called here alone are not looked at", report,
                    text::printable(run_->program)));
  }
  if (candidates.basis == advice::RankingBasis::LocalError) {
    doubts.push_back(
        fmt::format("{} has no loss impacts, so functions come in the order of their local errors, which says "
                    "little of the loss; record with --impact, or leave --start out",
                    report));
  }
  return doubts;
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
