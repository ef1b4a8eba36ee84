// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/rules/amplifier.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/ops.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

bool is_periodic(const queries::OpRow& op) { return op.op.starts_with("cos") || op.op.starts_with("sin"); }

std::vector<Finding> find(const Symptoms& symptoms) {
  const auto amplifier = amplifier_of(symptoms);
  if (!amplifier) return {};
  const queries::OpRow& op = *amplifier->op;
  const std::string why = is_periodic(op) ? "In reduced precision, a large angle is off by a large part of a turn."
                                          : "It probably subtracts values that are nearly equal.";
  return {
      {.culprit = culprit_of(op),
       .mechanism = fmt::format(
           "{} is off by {} although its own rounding error is {}: it amplifies the rounding errors of its inputs. {}",
           op.call_site, text::percent(op.inherited->relative_l2()), text::scientific(op.local->relative_l2()), why),
       .consequence = amplifier->consequence,
       .cost = std::min(1.0, amplifier->error),
       .confidence = Confidence::Likely,
       .remedies = {{.text = fmt::format("Compute the inputs of {} in FP32, and cast its result. Keep the buffers{} in "
                                         "FP32: model.to(type) would cast them, too.",
                                         op.call_site, op.module.empty() ? "" : " of " + op.module),
                     .word = word_for_fp32(op.module)}}}};
}

}  // namespace

DiagnosisRule amplified_error() {
  return {"amplified_error", "An op amplifies the rounding errors of its inputs.", find};
}

}  // namespace ampprof::analysis
