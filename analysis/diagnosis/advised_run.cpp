// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/advised_run.h"

#include <algorithm>

#include "amp_core/levels/level.h"
#include "precision/advice/evidence.h"
#include "reports/queries/confirmations.h"
#include "reports/queries/events.h"
#include "reports/queries/impacts.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/queries/scales.h"
#include "reports/text/shell_text.h"

namespace ampprof::analysis {
namespace {

advice::RunFacts facts_of(const queries::RunRow& run) {
  return {.steps = run.steps,
          .recorded_steps = run.recorded_steps,
          .first_loss_mean = run.first_loss_mean,
          .last_loss_mean = run.last_loss_mean,
          .loss_scale_final = run.loss_scale_final,
          .has_compiled_regions = run.has_compiled_regions,
          .asks_for_impact = text::flag_in(run.flags, "--impact").has_value()};
}

}  // namespace

bool has_own_reduced_type(const queries::RunRow& run) {
  return run.level.empty() && run.what_if.empty() && run.reduced_type != DType::Unknown;
}

std::optional<queries::RunRow> run_to_advise(const std::vector<queries::RunRow>& runs) {
  using Fits = bool (*)(const queries::RunRow&);
  constexpr Fits kInOrder[] = {[](const queries::RunRow& run) { return amp::patches_functions(run.level); },
                               [](const queries::RunRow& run) { return has_own_reduced_type(run) && run.casts > 0; },
                               [](const queries::RunRow& run) { return !run.what_if.empty(); },
                               [](const queries::RunRow& run) { return amp::has_half_model(run.level); }};
  for (const bool compiled : {false, true}) {
    for (const Fits fits : kInOrder) {
      const auto run = std::ranges::find_if(
          runs, [&](const queries::RunRow& run) { return run.has_compiled_regions == compiled && fits(run); });
      if (run != runs.end()) return *run;
    }
  }
  return std::nullopt;
}

advice::Evidence evidence_of(const queries::Report& report, const queries::RunRow& run,
                             const std::vector<queries::RunRow>& runs) {
  advice::Evidence evidence{facts_of(run),
                            queries::ops(report, run.run),
                            queries::impacts(report, run.run),
                            queries::events(report, run.run),
                            queries::scales(report, run.run),
                            {},
                            {}};
  const auto plain = std::ranges::find_if(runs, [&](const queries::RunRow& other) {
    return amp::is_fp32_level(other.level) && other.run != run.run && other.program == run.program;
  });
  if (plain != runs.end()) evidence.plain = queries::ops(report, plain->run);
  const auto compiled = std::ranges::find_if(runs, [&](const queries::RunRow& other) {
    return other.has_compiled_regions && !run.has_compiled_regions && other.level == run.level &&
           other.what_if == run.what_if && other.program == run.program;
  });
  if (compiled != runs.end()) {
    evidence.compiled = advice::CompiledRun{compiled->recorded_steps, queries::ops(report, compiled->run)};
  }
  return evidence;
}

advice::Advice advice_on(const queries::Report& report, const queries::RunRow& run,
                         const std::vector<queries::RunRow>& runs, const advice::Options& options) {
  return advise(evidence_of(report, run, runs), options);
}

search::Candidates candidates_from(const queries::Report& report, const queries::RunRow& run,
                                   const std::vector<queries::RunRow>& runs) {
  const advice::Evidence evidence = evidence_of(report, run, runs);
  search::Candidates candidates = search::candidates_of(advice::PolicyEvaluation(evidence));
  std::vector<std::string> confirmed;
  for (const auto& [of_run, confirmation] : queries::confirmations(report)) {
    if (of_run == run.run && confirmation.helped) confirmed.push_back(confirmation.remedy);
  }
  search::propose(candidates, confirmed);
  return candidates;
}

}  // namespace ampprof::analysis
