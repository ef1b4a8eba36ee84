// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/event_groups.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/rules/scale_history.h"
#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

/// Returns the remedy for a scale that the program applies itself.
Remedy scale_of_program(const EventGroup& group, double scale) {
  if (group.worst->outcome == NonfiniteOutcome::Skipped) {
    return {fmt::format("Begin with a loss scale of {}.", text::plain(scale))};
  }
  constexpr double kLargestHalf = 65504;
  const double excess = std::max(1.0, std::abs(group.worst->value.value_or(0.0)) / kLargestHalf);
  return {
      fmt::format("Use a GradScaler, which finds a loss scale that fits and skips updates that are not finite. A "
                  "static scale must be below {}.",
                  text::plain(std::exp2(std::ceil(std::log2(scale / excess)))))};
}

Finding finding_of(const EventGroup& group, const Symptoms& symptoms) {
  const queries::EventRow& first = *group.events.front();
  const auto scale = scale_that_fits(group, symptoms);
  const std::string begins =
      first.by_scaler ? fmt::format("The loss scale begins at {}", text::plain(first.scale_before)) : "The loss scale";
  Finding finding{
      .culprit = culprit_of_origin(first, symptoms.op_at(first.first_op)),
      .mechanism = fmt::format(
          "{} is too large for these gradients: {} overflows first. Without the scale, the gradients fit.",
          first.by_scaler ? begins + ", which" : begins, first.first_op.empty() ? "a gradient" : first.first_op),
      .consequence = consequence_of(group, symptoms),
      .cost = cost_of(group, symptoms),
      .confidence = Confidence::Certain};
  if (!scale) {
    finding.remedies = {{"Begin with a smaller loss scale."}};
  } else if (symptoms.scales.empty()) {
    finding.remedies = {scale_of_program(group, *scale)};
  } else {
    finding.remedies = {begin_with_scale(*scale)};
  }
  return finding;
}

std::vector<Finding> find(const Symptoms& symptoms) {
  return findings_of(symptoms, EventKind::ByLossScale, finding_of, is_of_start);
}

}  // namespace

DiagnosisRule loss_scale_too_large() {
  return {"loss_scale_too_large", "The loss scale alone makes gradients overflow.", find};
}

}  // namespace ampprof::analysis
