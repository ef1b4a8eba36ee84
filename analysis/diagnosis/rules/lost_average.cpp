// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/rules/drifting.h"
#include "reports/queries/drifts.h"

namespace ampprof::analysis {
namespace {

/// Returns whether a tensor is an average of weights: the program writes it outside of the optimizer, unlike optimizer
/// state.
bool is_average(const queries::DriftRow& row) {
  return row.of.role == DriftRole::State && row.phase != Phase::Optimizer;
}

std::vector<Finding> find(const Symptoms& symptoms) {
  const auto rows = drifting(symptoms, is_average);
  if (rows.empty()) return {};
  Finding finding = finding_of_drift(rows, 1.0);
  finding.consequence =
      "The average lags behind the weights, however far they move. Evaluation with the average is wrong.";
  finding.remedies = {
      {"Keep the average in FP32, and cast a copy where you use it.", "average = weight.detach().float().clone()"}};
  return {finding};
}

}  // namespace

DiagnosisRule lost_average() {
  return {"lost_average", "A moving average of weights does not follow the weights.", find};
}

}  // namespace ampprof::analysis
