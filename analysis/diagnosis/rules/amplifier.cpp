// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/rules/amplifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/gradient_impacts.h"
#include "reports/queries/ops.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

constexpr double kOrdinaryRounding = 0.02;  // local errors below this are ordinary rounding

/// Returns the first op of a phase whose output is wrong; null if there is none.
const queries::OpRow* first_wrong(const Symptoms& symptoms, Phase phase) {
  const queries::OpRow* first = nullptr;
  for (const queries::OpRow* op : symptoms.ops) {
    if (op->phase != phase || !op->inherited || op->inherited->relative_l2() < kUselessError) continue;
    if (first == nullptr || op->call_site_id < first->call_site_id) first = op;
  }
  return first;
}

/// Returns whether an op rounds little itself, so that a wrong result comes from its inputs. False for casts. Also
/// false for ops without a local error: they only move values, and a look-up is wrong because of its indices.
bool amplifies(const queries::OpRow* op) {
  if (op == nullptr || !op->local || is_cast(op->op) || !std::isfinite(op->inherited->relative_l2())) return false;
  const double local = op->local->relative_l2();
  return local > 0.0 && local < kOrdinaryRounding;
}

/// Returns the inherited error of the last inference op; 0 if unknown.
double error_of_result(const Symptoms& symptoms) {
  const queries::OpRow* last = nullptr;
  for (const queries::OpRow* op : symptoms.ops) {
    if (op->phase != Phase::Inference || !op->inherited) continue;
    if (last == nullptr || op->call_site_id > last->call_site_id) last = op;
  }
  return last == nullptr ? 0.0 : last->inherited->relative_l2();
}

}  // namespace

const queries::GradientErrorRow* bad_gradient(const Symptoms& symptoms) {
  const auto error = [](const queries::GradientErrorRow* row) { return row->relative.value_or(0.0); };
  const auto worst = std::ranges::max_element(symptoms.gradients, {}, error);
  return worst == symptoms.gradients.end() || error(*worst) < kBadGradient ? nullptr : *worst;
}

std::optional<Amplifier> amplifier_of(const Symptoms& symptoms) {
  const queries::OpRow* forward = first_wrong(symptoms, Phase::Forward);
  const queries::GradientErrorRow* gradient = bad_gradient(symptoms);
  if (amplifies(forward) && gradient != nullptr) {
    return Amplifier{forward, *gradient->relative,
                     fmt::format("Gradients are off by up to {}.", text::percent(*gradient->relative))};
  }
  const queries::OpRow* inference = first_wrong(symptoms, Phase::Inference);
  const double result = error_of_result(symptoms);
  if (amplifies(inference) && result >= kUselessError) {
    return Amplifier{inference, result, fmt::format("The result of inference is off by {}.", text::percent(result))};
  }
  return std::nullopt;
}

}  // namespace ampprof::analysis
