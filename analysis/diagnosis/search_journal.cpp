// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/search_journal.h"

#include <algorithm>
#include <csignal>
#include <limits>
#include <set>

#include "amp_core/levels/level.h"
#include "amp_core/levels/reduced_type.h"
#include "analysis/diagnosis/advised_run.h"
#include "precision/formats/types/number_format.h"
#include "reports/queries/events.h"
#include "reports/queries/losses.h"
#include "reports/queries/runs.h"
#include "reports/queries/segments.h"
#include "reports/queries/trials.h"

namespace ampprof::analysis {
namespace {

std::optional<double> overflow_rate_of(const queries::Report& report, std::int64_t run) {
  const std::int64_t steps = queries::last_step(report, run).value_or(0);
  if (steps == 0) return std::nullopt;
  std::set<std::int64_t> overflowed;
  for (const queries::EventRow& event : queries::events(report, run)) {
    if (event.by_scaler) overflowed.insert(event.step);
  }
  return static_cast<double>(overflowed.size()) / static_cast<double>(steps);
}

/// Returns whether a trial without a value was stopped, judged by its exit code. A program may turn SIGTERM into exit
/// code 0.
bool was_stopped(const queries::TrialRow& row, const search::Measured& run, const search::Metric& metric) {
  if (row.trial.value || !row.exit_code) return false;
  if (*row.exit_code == 128 + SIGTERM || *row.exit_code == 128 + SIGKILL) return true;
  return *row.exit_code == 0 && metric.kind == search::MetricKind::FinalLoss && run.final_loss.has_value();
}

}  // namespace

std::string level_of_search(const queries::RunRow& run) {
  return has_own_reduced_type(run) ? "" : std::string(amp::level_that_patches());
}

bool casts_into(const queries::RunRow& run, const std::string& type) {
  const auto format = error::what_if_type(type);
  return amp::patches_functions(run.level) && format && error::format_of(*format).dtype == run.reduced_type;
}

std::string type_of_search(const queries::RunRow& run) {
  const std::vector<std::string> names = amp::reduced_type_names();
  const auto named = std::ranges::find_if(names, [&](const std::string& name) { return casts_into(run, name); });
  return named == names.end() ? "" : *named;
}

std::string base_of_search(std::string policy, const std::string& type, const std::string& recipe) {
  if (!policy.empty() && !policy.ends_with('\n') && !(type.empty() && recipe.empty())) policy += '\n';
  if (!type.empty()) policy += "low_type " + type + '\n';
  if (!recipe.empty()) policy += "recipe " + recipe + '\n';
  return policy;
}

search::Losses losses_of(const queries::Report& report, std::int64_t run) {
  search::Losses losses;
  for (const queries::StepValue& step : queries::loss_by_step(report, run)) losses.push_back(step.value);
  return losses;
}

search::Measured measured_run(const queries::Report& report, std::int64_t run, const search::Metric& metric) {
  const queries::LossSummary losses = queries::summarize(queries::step_losses(report, run));
  search::Measured measured{.value = {}, .final_loss = losses.last.mean};
  if (losses.last.nonfinite > 0) measured.final_loss = std::numeric_limits<double>::quiet_NaN();
  if (metric.kind == search::MetricKind::OverflowRate) measured.value = overflow_rate_of(report, run);
  if (metric.kind == search::MetricKind::FinalLoss) {
    measured.value = measured.final_loss;
    measured.noise = losses.last.noise;
  }
  return measured;
}

search::Journal journal_of(const queries::Report& report, const search::SearchProblem& question,
                           const TrialsOfSearch& search) {
  const std::string metric = search::name_of(question.metric);
  const std::string everything = search::policy_of(question, search::everything_of(question));
  search::Journal journal;
  for (const queries::TrialRow& row : queries::trials(report)) {
    const bool is_ours = row.program == search.program && row.level == search.level && row.trial.metric == metric;
    if (!is_ours || !row.seed || *row.seed < search.first_seed) continue;
    search::Measured run = measured_run(report, row.run, question.metric);
    run.value = row.trial.value;
    run.seconds = row.seconds;
    if (row.trial.policy == everything || was_stopped(row, run, question.metric)) {
      run.losses = losses_of(report, row.run);
    }
    journal.add(row.trial.policy, *row.seed - search.first_seed, run);
  }
  return journal;
}

}  // namespace ampprof::analysis
