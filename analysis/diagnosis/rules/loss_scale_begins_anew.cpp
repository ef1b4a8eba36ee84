// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/event_groups.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/rules/scale_history.h"
#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/events.h"
#include "reports/queries/scales.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

Finding finding_of(const EventGroup& group, const Symptoms& symptoms) {
  const queries::EventRow& first = *group.events.front();
  const std::string begin = text::plain(symptoms.scales.front()->update.scale_before);
  Finding finding{
      .culprit = culprit_of_origin(first, symptoms.op_at(first.first_op)),
      .mechanism = fmt::format("The loss scale restarts at {} again and again: the program creates a new scaler, or "
                               "loads an old state. Each time, the scaler skips steps until its scale fits again.",
                               begin),
      .consequence = consequence_of(group, symptoms),
      .cost = cost_of(group, symptoms),
      .confidence = Confidence::Certain,
      .remedies = {{"Make one scaler before the loop over epochs, and keep it."}}};
  const bool is_known = std::ranges::any_of(
      group.events, [](const queries::EventRow* event) { return event->largest_safe_scale.has_value(); });
  if (is_known) finding.remedies.push_back(begin_with_scale(*scale_that_fits(group, symptoms)));
  return finding;
}

std::vector<Finding> find(const Symptoms& symptoms) {
  return findings_of(symptoms, EventKind::ByLossScale, finding_of, is_of_restarts);
}

}  // namespace

DiagnosisRule loss_scale_begins_anew() {
  return {"loss_scale_begins_anew", "The loss scale restarts repeatedly, and gradients overflow each time.", find};
}

}  // namespace ampprof::analysis
