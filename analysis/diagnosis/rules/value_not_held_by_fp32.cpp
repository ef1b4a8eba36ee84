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
      {guard_for(event).value_or("Guard the inputs of this op") + at_line(event.first_op_source) + "."}};
  const bool follows_exact_values = symptoms.run.flags.find("--inherited") != std::string::npos;
  if (!event.shadow_holds && !follows_exact_values) {
    remedies.push_back(
        {"Record the run with --inherited, which shows whether rounding before this op is to blame. If so, run the ops "
         "that produce its inputs in FP32."});
  }
  return remedies;
}

/// Describes the inputs of the op that made NaN or inf. For some causes, the program itself set a value to infinity.
std::string inputs_of(const queries::EventRow& event) {
  switch (event.cause) {
    case NonfiniteCause::AllMasked:
      return "rows that are -inf throughout (all masked)";
    case NonfiniteCause::InfMinusInf:
    case NonfiniteCause::ZeroTimesInf:
      return fmt::format("values that the program set to infinity ({})", name_of(event.cause));
    default:
      return fmt::format("finite inputs ({})", name_of(event.cause));
  }
}

Finding finding_of(const EventGroup& group, const Symptoms& symptoms) {
  const queries::EventRow& event = *group.worst;
  return {.culprit = culprit_of_origin(event, symptoms.op_at(event.first_op)),
          .mechanism = fmt::format("{} makes NaN or inf from {}. {} would, too.", event.first_op, inputs_of(event),
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
