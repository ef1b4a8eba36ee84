// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/rules/drifting.h"
#include "reports/queries/drifts.h"

namespace ampprof::analysis {
namespace {

bool is_gradient(const queries::DriftRow& row) { return row.of.role == DriftRole::Gradient; }

std::vector<Finding> find(const Symptoms& symptoms) {
  const auto rows = drifting(symptoms, is_gradient);
  if (rows.empty()) return {};
  Finding finding = finding_of_drift(rows, 1.0);
  finding.consequence = "Most micro-batches leave no trace in the gradient that the optimizer gets.";
  finding.remedies = {
      {"Accumulate gradients in FP32: keep FP32 weights with torch.autocast, or an FP32 buffer for each gradient."},
      {"Use fewer and larger micro-batches."}};
  return {finding};
}

}  // namespace

DiagnosisRule lost_accumulation() {
  return {"lost_accumulation", "Gradients of micro-batches are rounded away when they are added up.", find};
}

}  // namespace ampprof::analysis
