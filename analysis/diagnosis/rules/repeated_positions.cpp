// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/rules/amplifier.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "precision/rules/rule.h"
#include "reports/queries/ops.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

constexpr double kAnotherInteger = 0.5;  // smallest absolute error that turns a position into another integer

bool repeats_integers(const queries::OpRow& op) {
  return op.op.starts_with("arange") && !op.module.empty() && is_reduced_precision(op.dtype_out) && op.local &&
         op.local->max_abs >= kAnotherInteger;
}

/// Among the ops after `op` in its module and phase, returns the op with the largest inherited error; null if none is
/// known.
const queries::OpRow* worst_after(const queries::OpRow& op, const Symptoms& symptoms) {
  const queries::OpRow* worst = nullptr;
  for (const queries::OpRow* other : symptoms.ops) {
    const bool is_behind =
        other->module == op.module && other->phase == op.phase && other->call_site_id > op.call_site_id;
    if (!is_behind || !other->inherited || !std::isfinite(other->inherited->relative_l2())) continue;
    if (worst == nullptr || other->inherited->relative_l2() > worst->inherited->relative_l2()) worst = other;
  }
  return worst;
}

std::vector<Finding> find(const Symptoms& symptoms) {
  const auto found = std::ranges::find_if(symptoms.ops, [](const queries::OpRow* op) { return repeats_integers(*op); });
  if (found == symptoms.ops.end() || amplifier_of(symptoms)) return {};
  const queries::OpRow& op = **found;
  const queries::OpRow* behind = worst_after(op, symptoms);
  const double error = behind ? behind->inherited->relative_l2() : 0.0;
  if (error < kUselessError) return {};
  return {
      {.culprit = culprit_of(op),
       .mechanism = fmt::format("{} counts in {}, which cannot represent all integers: adjacent numbers become equal, "
                                "and are off by up to {}.",
                                op.call_site, rules::name_for_people(op.dtype_out), text::number(op.local->max_abs)),
       .consequence = fmt::format("{} is off by {}.", behind->call_site, text::percent(error)),
       .cost = std::min(1.0, error),
       .confidence = Confidence::Likely,
       .remedies = {
           {.text = fmt::format("Count in FP32 or in integers{}, and cast the values computed from the counts.",
                                at_line(op.source)),
            .word = word_for_fp32(op.module)}}}};
}

}  // namespace

DiagnosisRule repeated_positions() {
  return {"repeated_positions", "Integers are counted in a type that cannot represent them all.", find};
}

}  // namespace ampprof::analysis
