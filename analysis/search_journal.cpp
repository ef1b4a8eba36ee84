// SPDX-License-Identifier: Apache-2.0
#include "analysis/search_journal.h"

#include "amp_core/levels/level.h"
#include "analysis/advised_run.h"

namespace ampprof::analysis {

std::string level_of_search(const queries::RunRow& run) {
  return has_own_reduced_type(run) ? "" : std::string(amp::level_that_patches());
}

search::Measured losses_of(const queries::Report& report, std::int64_t run) {
  const queries::LossSummary losses = queries::summarize(queries::loss_by_step(report, run));
  return {.value = {}, .final_loss = losses.final, .noise = losses.final_noise};
}

search::Journal journal_of(const queries::Report& report, const TrialsOfSearch& wanted) {
  const std::string metric = search::name_of(wanted.metric);
  search::Journal journal;
  for (const queries::TrialRow& row : queries::trials(report)) {
    const bool is_wanted = row.program == wanted.program && row.level == wanted.level && row.trial.metric == metric;
    if (!is_wanted || !row.seed || *row.seed < wanted.first_seed) continue;
    search::Measured run = losses_of(report, row.run);
    run.value = row.trial.value;
    run.seconds = row.seconds;
    if (wanted.metric.kind != search::MetricKind::FinalLoss) run.noise.reset();
    journal.add(row.trial.policy, *row.seed - wanted.first_seed, run);
  }
  return journal;
}

}  // namespace ampprof::analysis
