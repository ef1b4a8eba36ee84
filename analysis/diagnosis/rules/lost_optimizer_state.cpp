// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/rules/drifting.h"
#include "reports/queries/drifts.h"

namespace ampprof::analysis {
namespace {

bool is_optimizer_state(const queries::DriftRow& row) {
  return row.of.role == DriftRole::State && row.phase == Phase::Optimizer;
}

std::vector<Finding> find(const Symptoms& symptoms) {
  const auto rows = drifting(symptoms, is_optimizer_state);
  if (rows.empty()) return {};
  Finding finding = finding_of_drift(rows, 0.5);
  finding.consequence = "The optimizer's moments are wrong, and so is the size of its updates.";
  finding.remedies = {{.text = "Keep the optimizer's state in FP32: give it FP32 weights.", .word = "master_weights"}};
  return {finding};
}

}  // namespace

DiagnosisRule lost_optimizer_state() {
  return {"lost_optimizer_state", "Rounding loses updates of an optimizer's state.", find};
}

}  // namespace ampprof::analysis
