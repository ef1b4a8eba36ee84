// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/rules/amplifier.h"
#include "analysis/diagnosis/symptoms.h"
#include "precision/rules/rule.h"
#include "reports/queries/gradient_impacts.h"
#include "reports/queries/ops.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

/// Returns the backward op with the largest rounding error of its own; null if all are small.
const queries::OpRow* worst_op(const Symptoms& symptoms) {
  const auto error = [](const queries::OpRow* op) {
    const double own = op->phase == Phase::Backward && op->local ? op->local->relative_l2() : 0.0;
    return std::isfinite(own) ? own : 0.0;
  };
  const auto worst = std::ranges::max_element(symptoms.ops, {}, error);
  return worst == symptoms.ops.end() || error(*worst) < kBadGradient ? nullptr : *worst;
}

std::vector<Finding> find(const Symptoms& symptoms) {
  const queries::GradientErrorRow* gradient = bad_gradient(symptoms);
  const queries::OpRow* op = worst_op(symptoms);
  if (gradient == nullptr || op == nullptr) return {};
  return {{.culprit = culprit_of(*op),
           .mechanism = fmt::format("{} is off by {} because of its own rounding in {}. This happens when many values "
                                    "are added up in a type that cannot represent their sum.",
                                    op->call_site, text::percent(op->local->relative_l2()),
                                    rules::name_for_people(op->dtype_out)),
           .consequence =
               fmt::format("The gradient of {} is off by {}.", gradient->parameter, text::percent(*gradient->relative)),
           .cost = std::min(1.0, *gradient->relative),
           .confidence = Confidence::Likely,
           .remedies = {{fmt::format(
               "Compute this op and its forward op in FP32{}: use FP32 weights, or call .float() on the inputs.",
               at_line(op->source))}}}};
}

}  // namespace

DiagnosisRule lossy_gradient() {
  return {"lossy_gradient", "A backward op loses a large part of a gradient to its own rounding.", find,
          /*is_last_resort=*/true};
}

}  // namespace ampprof::analysis
