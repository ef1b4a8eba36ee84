// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/gradient_impacts.h"
#include "reports/queries/ops.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

constexpr double kOrdinary = 0.02;     // local error of an op that is not to blame itself
constexpr double kBadGradient = 0.25;  // relative error of a gradient

/// Returns the first forward op of the program whose output is wrong; null where there is none.
const queries::OpRow* first_wrong(const Symptoms& symptoms) {
  const queries::OpRow* first = nullptr;
  for (const queries::OpRow* op : symptoms.ops) {
    if (op->phase != Phase::Forward || !op->inherited || op->inherited->relative_l2() < kWrong) continue;
    if (first == nullptr || op->call_site_id < first->call_site_id) first = op;
  }
  return first;
}

double worst_gradient(const Symptoms& symptoms) {
  double worst = 0.0;
  for (const queries::GradientErrorRow* row : symptoms.gradients) worst = std::max(worst, row->relative.value_or(0.0));
  return worst;
}

/// An op that only moves values, such as a look-up, has no local error: then what chose them is to blame.
bool amplifies(const queries::OpRow& op) {
  if (!op.local || !std::isfinite(op.inherited->relative_l2())) return false;
  const double local = op.local->relative_l2();
  return local > 0.0 && local < kOrdinary;
}

bool is_periodic(const queries::OpRow& op) { return op.op.starts_with("cos") || op.op.starts_with("sin"); }

std::vector<Finding> find(const Symptoms& symptoms) {
  const queries::OpRow* first = first_wrong(symptoms);
  const double gradient = worst_gradient(symptoms);
  if (first == nullptr || !amplifies(*first) || gradient < kBadGradient) return {};
  const std::string why = is_periodic(*first) ? "A large angle in reduced precision is off by a good part of a turn."
                                              : "It takes the difference of values that are nearly equal, or the like.";
  return {
      {.culprit = culprit_of(*first),
       .mechanism = fmt::format("{} is off by {} although its own rounding is {}: it amplifies the roundings of what "
                                "it takes. {}",
                                first->call_site, text::percent(first->inherited->relative_l2()),
                                text::scientific(first->local->relative_l2()), why),
       .consequence = fmt::format("Gradients are off by up to {}.", text::percent(gradient)),
       .cost = std::min(1.0, gradient),
       .confidence = Confidence::Likely,
       .remedies = {
           {.text = fmt::format("Compute the inputs of {} in FP32, and cast its result. Keep the buffers{} in FP32: "
                                "model.to(type) casts them, too.",
                                first->call_site, first->module.empty() ? "" : " of " + first->module),
            .word = word_for_fp32(first->module)}}}};
}

}  // namespace

DiagnosisRule amplified_error() { return {"amplified_error", "An op amplifies the roundings of what it takes.", find}; }

}  // namespace ampprof::analysis
