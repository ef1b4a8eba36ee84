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
      .mechanism = fmt::format("{} makes inf{}. {} clamps it to a finite number before the check for "
                               "inf.",
                               event.first_op, event.reached.empty() ? "" : " in the gradient of " + event.reached,
                               event.outcome_op),
      .consequence = fmt::format("{} of {} used a wrong gradient.", text::count(group.steps),
                                 text::counted(static_cast<std::int64_t>(symptoms.steps()), "step")),
      .cost = cost_of(group, symptoms),
      .confidence = Confidence::Certain};
  const std::string line = clip ? at_line(clip->source) : "";
  if (!has_scaler) {
    finding.remedies = {{fmt::format("Check that gradients are finite before they are clipped{}.", line)}};
    return finding;
  }
  finding.consequence += fmt::format(" The loss scaler skipped none of these steps, and its scale grew to {}.",
                                     text::plain(symptoms.scales.back()->update.scale_after));
  finding.remedies = {{.text = fmt::format("Call scaler.unscale_(optimizer) before gradients are clipped{}.", line),
                       .code = "scaler.unscale_(optimizer)",
                       .word = "unscale_before_clip"}};
  return finding;
}

constexpr double kMuchSmaller = 0.5;  // a clip that leaves a larger share of a gradient may be intended

bool is_unscale(const queries::OpRow& op) { return op.op == "_amp_foreach_non_finite_check_and_unscale_"; }

bool is_norm(const queries::OpRow& op) { return op.op.find("norm") != std::string::npos; }

/// Returns the op that clips the norm of gradients before they are unscaled; null if there is none. Call site ids
/// ascend in the order in which the program first reached the call sites.
const queries::OpRow* clip_of_scaled_norm(const Symptoms& symptoms) {
  const auto unscale = std::ranges::find_if(symptoms.ops, [](const queries::OpRow* op) { return is_unscale(*op); });
  if (symptoms.scales.empty() || unscale == symptoms.ops.end()) return nullptr;
  const auto is_before = [&](const queries::OpRow* op) {
    return op->phase == Phase::Optimizer && op->call_site_id < (*unscale)->call_site_id;
  };
  for (const queries::OpRow* op : symptoms.ops) {
    if (!is_before(op) || !op->op.starts_with("clamp") || !op->ranges || op->ranges->amax > kMuchSmaller) continue;
    const bool limits_norm = std::ranges::any_of(symptoms.ops, [&](const queries::OpRow* other) {
      return is_before(other) && is_norm(*other) && other->source == op->source;
    });
    if (limits_norm) return op;
  }
  return nullptr;
}

Finding finding_of_norm(const queries::OpRow& clip, const Symptoms& symptoms) {
  const double left = clip.ranges->amax;
  return {.culprit = culprit_of(clip),
          .mechanism = fmt::format("Gradients are clipped by their norm{} while they are still multiplied by the loss "
                                   "scale ({} at the end), so the norm is too large by this factor.",
                                   at_line(clip.source), text::plain(symptoms.scales.back()->update.scale_after)),
          .consequence = fmt::format("Clipping multiplies each gradient by {} or less.", text::scientific(left)),
          .cost = 1.0 - left,
          .confidence = Confidence::Likely,
          .remedies = {{.text = fmt::format("Call scaler.unscale_(optimizer) before gradients are clipped{}.",
                                            at_line(clip.source)),
                        .code = "scaler.unscale_(optimizer)",
                        .word = "unscale_before_clip"}}};
}

std::vector<Finding> find(const Symptoms& symptoms) {
  auto findings = findings_of(symptoms, EventKind::HiddenByClip, finding_of);
  const queries::OpRow* clip = clip_of_scaled_norm(symptoms);
  if (findings.empty() && clip != nullptr) findings.push_back(finding_of_norm(*clip, symptoms));
  return findings;
}

}  // namespace

DiagnosisRule clip_before_unscale() {
  return {"clip_before_unscale", "Gradients are clipped before they are unscaled.", find};
}

}  // namespace ampprof::analysis
