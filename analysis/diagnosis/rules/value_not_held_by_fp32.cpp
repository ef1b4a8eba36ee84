// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/event_groups.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/events.h"
#include "reports/queries/runs.h"

namespace ampprof::analysis {
namespace {

/// Returns the remedies. Without exact inputs (--inherited), the report does not show whether roundings before the op
/// are to blame.
std::vector<Remedy> guard_or_look_closer(const queries::EventRow& event, const Symptoms& symptoms) {
  std::vector<Remedy> remedies{
      {guard_for(event).value_or("Guard the values that this op takes") + at_line(event.first_op_source) + "."}};
  const bool follows_exact_values = symptoms.run.flags.find("--inherited") != std::string::npos;
  if (!event.shadow_holds && !follows_exact_values) {
    remedies.push_back(
        {"Record the run with --inherited, which tells whether roundings before this op are to blame: "
         "then what makes its inputs belongs in FP32."});
  }
  return remedies;
}

Finding finding_of(const EventGroup& group, const Symptoms& symptoms) {
  const queries::EventRow& event = *group.worst;
  return {.culprit = culprit_of_origin(event, symptoms.op_at(event.first_op)),
          .mechanism = fmt::format("{} makes NaN or inf of finite inputs ({}). {} does not hold the result either.",
                                   event.first_op, name_of(event.cause),
                                   event.shadow_holds ? "FP32" : "FP32 on the same inputs"),
          .consequence = consequence_of(group, symptoms),
          .cost = cost_of(group, symptoms),
          .confidence = event.shadow_holds ? Confidence::Certain : Confidence::Likely,
          .remedies = guard_or_look_closer(event, symptoms)};
}

std::vector<Finding> find(const Symptoms& symptoms) {
  return findings_of(symptoms, EventKind::NotHeldByFp32, finding_of);
}

}  // namespace

DiagnosisRule value_not_held_by_fp32() {
  return {"value_not_held_by_fp32", "An op makes NaN or inf that FP32 would make, too.", find};
}

}  // namespace ampprof::analysis
