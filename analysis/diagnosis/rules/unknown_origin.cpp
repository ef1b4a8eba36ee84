// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/event_groups.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/events.h"

namespace ampprof::analysis {
namespace {

Finding finding_of(const EventGroup& group, const Symptoms& symptoms) {
  const queries::EventRow& event = *group.worst;
  return {.culprit = culprit_of_origin(event, symptoms.op_at(event.first_op)),
          .mechanism = event.first_op.empty()
                           ? "NaN or inf appears, and the report does not show in which op it began."
                           : fmt::format("{} makes NaN or inf ({}), and its FP32 result was not computed.",
                                         event.first_op, name_of(event.cause)),
          .consequence = consequence_of(group, symptoms),
          .cost = cost_of(group, symptoms),
          .confidence = Confidence::Possible,
          .remedies = {{"Record the run with --inherited, and look up the op in ampprof show REPORT missing."}}};
}

std::vector<Finding> find(const Symptoms& symptoms) {
  return findings_of(symptoms, EventKind::Unexplained, finding_of, costs_something);
}

}  // namespace

DiagnosisRule unknown_origin() { return {"unknown_origin", "NaN or inf of unknown cause.", find}; }

}  // namespace ampprof::analysis
