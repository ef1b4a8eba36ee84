// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/event_groups.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/rules/scale_history.h"
#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/events.h"

namespace ampprof::analysis {
namespace {

Finding finding_of(const EventGroup& group, const Symptoms& symptoms) {
  const queries::EventRow& first = *group.events.front();
  return {
      .culprit = culprit_of_origin(first, symptoms.op_at(first.first_op)),
      .mechanism = fmt::format("The loss scale grows until a gradient overflows, falls by half, and soon grows again. "
                               "{} overflows first.",
                               first.first_op.empty() ? "A gradient" : first.first_op),
      .consequence = consequence_of(group, symptoms),
      .cost = cost_of(group, symptoms),
      .confidence = Confidence::Certain,
      .remedies = {
          {.text =
               "Let the scale grow less often, for example after 2000 steps without overflow, which is the default.",
           .code = "GradScaler(growth_interval=2000)",
           .word = "no_scale_growth"}}};
}

std::vector<Finding> find(const Symptoms& symptoms) {
  return findings_of(symptoms, EventKind::ByLossScale, finding_of, is_of_growth);
}

}  // namespace

DiagnosisRule loss_scale_grows_too_often() {
  return {"loss_scale_grows_too_often", "The loss scale grows so often that many steps overflow.", find};
}

}  // namespace ampprof::analysis
