// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/event_groups.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/queries/scales.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

Finding finding_of(const EventGroup& group, const Symptoms& symptoms) {
  const queries::EventRow& event = *group.worst;
  const queries::OpRow* clip = symptoms.op_at(event.outcome_op);
  const bool has_scaler = !symptoms.scales.empty();
  Finding finding{
      .culprit = clip ? culprit_of(*clip) : Culprit{.call_site = event.outcome_op},
      .mechanism = fmt::format("{} makes inf{}. {} clamps it to a finite number before anybody looks for "
                               "inf.",
                               event.first_op, event.reached.empty() ? "" : " in the gradient of " + event.reached,
                               event.outcome_op),
      .consequence = fmt::format("{} of {} used a gradient that is not the gradient.", text::count(group.steps),
                                 text::counted(static_cast<std::int64_t>(symptoms.steps()), "step")),
      .cost = cost_of(group, symptoms),
      .confidence = Confidence::Certain};
  const std::string line = clip ? at_line(clip->source) : "";
  if (!has_scaler) {
    finding.remedies = {{fmt::format("Check that gradients are finite before they are clipped{}.", line)}};
    return finding;
  }
  finding.consequence += fmt::format(" The loss scaler skipped none of them, and its scale grew to {}.",
                                     text::plain(symptoms.scales.back()->update.scale_after));
  finding.remedies = {{.text = fmt::format("Call scaler.unscale_(optimizer) before gradients are clipped{}.", line),
                       .code = "scaler.unscale_(optimizer)",
                       .word = "unscale_before_clip"}};
  return finding;
}

std::vector<Finding> find(const Symptoms& symptoms) {
  return findings_of(symptoms, EventKind::HiddenByClip, finding_of);
}

}  // namespace

DiagnosisRule clip_before_unscale() {
  return {"clip_before_unscale", "Gradients are clamped before a loss scaler sees that they overflowed.", find};
}

}  // namespace ampprof::analysis
