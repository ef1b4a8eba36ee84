// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/rules/drifting.h"
#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/drifts.h"

namespace ampprof::analysis {
namespace {

bool is_other(const queries::DriftRow& row) { return row.of.role == DriftRole::Tensor; }

std::vector<Finding> find(const Symptoms& symptoms) {
  const auto rows = drifting(symptoms, is_other);
  if (rows.empty()) return {};
  const queries::DriftRow& worst = *rows.front();
  Finding finding = finding_of_drift(rows, worst.module.empty() ? kLogAlone : 1.0);
  finding.consequence = worst.module.empty() ? "The sum is neither a parameter nor optimizer state. A log of the sum "
                                               "is wrong, and so is training if an update reads it."
                                             : fmt::format("Results of {} from this buffer are wrong.", worst.module);
  finding.remedies = {
      {fmt::format("Keep the sum in FP32{}, or in Python.", at_line(worst.source)), "total += x.float()"}};
  return {finding};
}

}  // namespace

DiagnosisRule lost_sum() { return {"lost_sum", "A sum over steps in reduced precision stops growing.", find}; }

}  // namespace ampprof::analysis
