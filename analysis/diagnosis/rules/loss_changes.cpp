// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "analysis/ranks/report_rows.h"
#include "reports/queries/impacts.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

constexpr double kMatters = 0.05;  // smallest mean change over steps to report, as a share of the loss

/// Returns the forward op with the largest expected loss impact; null if none is known.
const queries::OpRow* largest_impact(const Symptoms& symptoms) {
  const auto size = [](const queries::OpRow* op) {
    return op->phase == Phase::Forward ? op->loss_impact_size.value_or(0.0) : 0.0;
  };
  const auto largest = std::ranges::max_element(symptoms.ops, {}, size);
  return largest == symptoms.ops.end() || size(*largest) <= 0.0 ? nullptr : *largest;
}

std::vector<Remedy> compute_more_precisely(const queries::OpRow& op, const Symptoms& symptoms) {
  const std::vector<Remedy> in_fp32 = compute_in_fp32(op.call_site, &op, symptoms);
  if (!in_fp32.front().policy.empty()) return {in_fp32.front()};
  return {{fmt::format("Compute {} in FP32{}, from inputs that are not rounded.", op.call_site, at_line(op.source))}};
}

std::vector<Finding> find(const Symptoms& symptoms) {
  const double change = symptoms.run.loss_change.value_or(0.0);
  const double loss = symptoms.loss_size();
  const queries::OpRow* op = largest_impact(symptoms);
  if (op == nullptr || loss == 0.0 || !std::isfinite(change) || std::abs(change) < kMatters * loss) return {};
  return {{.culprit = culprit_of(*op),
           .mechanism = fmt::format(
               "Rounding changes the loss by {} per step on average, which is {} of the loss. {} contributes most: {}.",
               text::signed_scientific(change), text::percent(std::abs(change) / loss), op->call_site,
               text::scientific(*op->loss_impact_size)),
           .consequence = "Training minimizes a loss other than the intended one.",
           .cost = std::min(1.0, std::abs(change) / loss),
           .confidence = Confidence::Likely,
           .remedies = compute_more_precisely(*op, symptoms)}};
}

}  // namespace

DiagnosisRule loss_changes() {
  return {"loss_changes", "Rounding changes the loss by 5 % or more.", find, /*is_last_resort=*/true};
}

}  // namespace ampprof::analysis
