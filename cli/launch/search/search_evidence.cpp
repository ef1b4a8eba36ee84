// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/search/search_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "amp_core/levels/level.h"
#include "analysis/diagnosis/advised_run.h"
#include "analysis/diagnosis/search_journal.h"
#include "analysis/recipes/recipe_evidence.h"
#include "analysis/search/recipe_candidates.h"
#include "cli/launch/run/what_if.h"
#include "precision/advice/policy_evaluation.h"
#include "reports/queries/recipes.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
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

std::vector<queries::RunRow> runs_of(const EvidenceSource& source) {
  const queries::Report report(source.report);
  std::vector<queries::RunRow> runs = queries::runs(report);
  if (source.program.empty()) return runs;
  const std::vector<queries::TrialRow> trials = queries::trials(report);
  std::erase_if(runs, [&](const queries::RunRow& run) { return !is_survey(run, source.program, trials); });
  return runs;
}

std::vector<std::string> doubts_about(const EvidenceSource& source, const queries::RunRow& run,
                                      const std::string& command, const char* what_is_missed) {
  if (run.program == command) return {};
  return {fmt::format(
      "{} was recorded with another command line, {}, so {} only in the program of this search are not tried",
      text::shell_text({source.report.string()}), text::printable(run.program), what_is_missed)};
}

/// Evidence for a search for functions to keep from casts.
class FunctionEvidence final : public SearchEvidence {
 public:
  explicit FunctionEvidence(EvidenceSource source) : source_(std::move(source)) { FunctionEvidence::read(); }

  void read() override {
    runs_ = runs_of(source_);
    if (!source_.type.empty()) {
      std::erase_if(runs_, [&](const queries::RunRow& run) { return !analysis::casts_into(run, source_.type); });
    }
    run_ = analysis::run_to_advise(runs_);
  }

  bool is_known() const override { return run_.has_value(); }

  /// Records the program unchanged first, then at O1. With amp_core or a requested type, records only at O1.
  std::optional<Survey> next_survey(const RunOptions& options) const override {
    Survey survey{options, ""};
    survey.options.record.inherited = true;
    if (runs_.empty() && !source_.has_amp_core && source_.type.empty()) return survey;
    survey.level = amp::level_that_patches();
    if (std::ranges::find(runs_, survey.level, &queries::RunRow::level) != runs_.end()) return std::nullopt;
    return survey;
  }

  std::string why_none() const override {
    const std::string& type = source_.type;
    const std::string into = type.empty() ? "a reduced type" : type + " at " + std::string(amp::level_that_patches());
    return fmt::format("No run of {} computes in {}, so there is nothing to keep in FP32. See: ampprof show {} runs",
                       source_.report.string(), into, text::shell_text({source_.report.string()}));
  }

  std::string level() const override { return analysis::level_of_search(*run_); }

  std::string type() const override {
    if (!source_.type.empty() || !source_.program.empty()) return source_.type;
    return analysis::type_of_search(*run_);
  }

  search::Candidates candidates() const override {
    return analysis::candidates_from(queries::Report(source_.report), *run_, runs_);
  }

  std::vector<std::string> doubts(const std::string& command, const search::Candidates& candidates) const override {
    std::vector<std::string> doubts = doubts_about(source_, *run_, command, "functions that are called");
    if (candidates.basis == advice::RankingBasis::LocalError) {
      doubts.push_back(
          fmt::format("{} has no loss impacts, so functions are tried in the order of their local errors, which "
                      "says little about the loss; record with --impact, or remove --start",
                      text::shell_text({source_.report.string()})));
    }
    return doubts;
  }

 private:
  const EvidenceSource source_;
  std::vector<queries::RunRow> runs_;   ///< matching runs
  std::optional<queries::RunRow> run_;  ///< the run of `runs_` that gives the candidates
};

/// Evidence for a search for matmuls to keep out of a recipe.
class MatmulEvidence final : public SearchEvidence {
 public:
  explicit MatmulEvidence(EvidenceSource source) : source_(std::move(source)), name_(name_of_what_if(source_.recipe)) {
    MatmulEvidence::read();
  }

  void read() override {
    run_.reset();
    was_recorded_ = false;
    const queries::Report report(source_.report);
    for (const queries::RunRow& run : runs_of(source_)) {
      rows_ = recipe_matmuls(report, run.run);
      std::erase_if(rows_, [&](const queries::RecipeMatmulRow& row) { return row.recipe != name_; });
      was_recorded_ = was_recorded_ || run.what_if == name_;
      if (!analysis::has_recipe_impacts(rows_)) continue;
      run_ = run;
      return;
    }
  }

  bool is_known() const override { return run_.has_value(); }

  std::optional<Survey> next_survey(const RunOptions& options) const override {
    if (was_recorded_) return std::nullopt;
    Survey survey{options, level()};
    survey.options.recipe.clear();
    survey.options.record.what_if = source_.recipe;
    return survey;
  }

  std::string why_none() const override {
    return fmt::format(
        "{} does not predict what {} does to the loss, so the order in which to try matmuls is unknown. Remove "
        "--start, or record: ampprof run --what-if {} PROGRAM",
        source_.report.string(), name_, text::shell_text({source_.recipe}));
  }

  std::string level() const override {
    if (!source_.type.empty()) return std::string(amp::level_that_patches());
    return source_.has_amp_core ? "O0" : "";
  }

  std::string type() const override { return source_.type; }

  search::Candidates candidates() const override {
    return search::recipe_candidates(
        analysis::recipe_evidence(rows_, advice::largest_loss(run_->first_loss_mean, run_->last_loss_mean),
                                  analysis::gpu_for_recipes("", run_->device)));
  }

  std::vector<std::string> doubts(const std::string& command, const search::Candidates& /*candidates*/) const override {
    return doubts_about(source_, *run_, command, "matmuls that are computed");
  }

 private:
  const EvidenceSource source_;
  const std::string name_;                      ///< name of the recipe in reports
  std::vector<queries::RecipeMatmulRow> rows_;  ///< matmuls of `run_`
  std::optional<queries::RunRow> run_;          ///< first run with loss impacts
  bool was_recorded_ = false;
};

}  // namespace

std::unique_ptr<SearchEvidence> evidence_for_search(const EvidenceSource& source) {
  if (source.recipe.empty()) return std::make_unique<FunctionEvidence>(source);
  return std::make_unique<MatmulEvidence>(source);
}

RunOptions survey_options_of(RunOptions options, std::optional<std::int64_t> steps) {
  options.record.reference = recording::ReferenceMode::Float;
  options.record.impact = true;
  options.record.overhead = recording::kEverything;
  if (steps) {
    options.record.deep_every = std::max<std::int64_t>(*steps / kSurveyedSteps, 1);
  } else {
    options.record.first_step = 1;
    options.record.last_step = kSurveyedSteps;
  }
  return options;
}

}  // namespace ampprof::cli
