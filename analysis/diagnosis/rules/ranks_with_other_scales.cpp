// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "analysis/ranks/ranks.h"
#include "analysis/ranks/report_rows.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

using Decision = std::pair<std::int64_t, std::int32_t>;  // step and loss

/// Returns the loss scale at each decision of a run's scalers.
std::map<Decision, double> scales_of(const ReportRows& rows, std::int64_t run) {
  std::map<Decision, double> scales;
  for (const queries::ScaleRow& row : rows.scales) {
    if (row.run == run) scales.try_emplace({row.step, row.update.loss_id}, row.update.scale_before);
  }
  return scales;
}

/// Compares the other ranks of a launch with its lowest rank.
std::vector<Finding> find(const Symptoms& symptoms) {
  for (const std::vector<queries::RunRow>& launch : runs_by_launch(symptoms.rows.shown())) {
    const auto first = std::ranges::min_element(launch, {}, [](const queries::RunRow& run) { return run.rank; });
    if (first->run != symptoms.run.run) continue;
    const auto own = scales_of(symptoms.rows, first->run);
    for (const queries::RunRow& other : launch) {
      for (const auto& [decision, scale] : scales_of(symptoms.rows, other.run)) {
        const auto same = own.find(decision);
        if (same == own.end() || same->second == scale) continue;
        return {
            {.mechanism =
                 fmt::format("Rank {} has a loss scale of {} in step {}, and rank {} has {}. Gradients are averaged "
                             "while they are scaled, and each rank divides by its own scale.",
                             *first->rank, text::plain(same->second), decision.first, *other.rank, text::plain(scale)),
             .consequence = "The ranks make different updates, and their weights drift apart.",
             .cost = 1.0,
             .confidence = Confidence::Certain,
             .remedies = {{"Load the same state of the loss scaler on all ranks: save it on one rank, and load that "
                           "file on all.",
                           "scaler.load_state_dict(state)"}}}};
      }
    }
  }
  return {};
}

}  // namespace

DiagnosisRule ranks_with_other_scales() {
  return {"ranks_with_other_scales", "Ranks of one program have different loss scales.", find};
}

}  // namespace ampprof::analysis
