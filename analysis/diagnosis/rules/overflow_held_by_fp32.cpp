// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/event_groups.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "precision/rules/rule.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

/// Explains the overflow. If the result in FP32 is below FP16's largest value, an intermediate value overflowed: in a
/// sum, or in a compiled region.
std::string mechanism_of(const queries::EventRow& event, const queries::OpRow* op) {
  constexpr double kLargestHalf = 65504;
  const std::string type = op ? std::string(rules::name_for_people(op->dtype_out)) : "its type";
  if (event.value && *event.value < kLargestHalf) {
    return fmt::format("{} makes NaN or inf from finite inputs in {}. In FP32 its result is finite.", event.first_op,
                       type);
  }
  const std::string value = event.value ? text::number(*event.value) : "a number";
  return fmt::format("{} computes {} from finite inputs. This exceeds the range of {}, but not of FP32.",
                     event.first_op, value, type);
}

Finding finding_of(const EventGroup& group, const Symptoms& symptoms) {
  const queries::EventRow& event = *group.worst;
  const queries::OpRow* op = symptoms.op_at(event.first_op);
  return {.culprit = culprit_of_origin(event, op),
          .mechanism = mechanism_of(event, op),
          .consequence = consequence_of(group, symptoms),
          .cost = cost_of(group, symptoms),
          .confidence = Confidence::Certain,
          .remedies = compute_in_fp32(event.first_op, op, symptoms)};
}

std::vector<Finding> find(const Symptoms& symptoms) { return findings_of(symptoms, EventKind::HeldByFp32, finding_of); }

}  // namespace

DiagnosisRule overflow_held_by_fp32() {
  return {"overflow_held_by_fp32", "An op overflows in reduced precision, but not in FP32.", find};
}

}  // namespace ampprof::analysis
