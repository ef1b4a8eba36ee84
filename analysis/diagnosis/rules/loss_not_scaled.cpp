// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/symptoms.h"
#include "reports/records/run.h"

namespace ampprof::analysis {
namespace {

std::vector<Finding> find(const Symptoms& symptoms) {
  if (symptoms.noted(kUnscaledLoss) == nullptr) return {};
  return {{.mechanism = "backward() runs on a loss that was not multiplied by the loss scale, and adds to gradients "
                        "that the scaler divides by the scale.",
           .consequence = "In each update, that loss counts too little, by the factor of the loss scale.",
           .cost = 1.0,
           .confidence = Confidence::Certain,
           .remedies = {{"Multiply each loss of the step by the loss scale.", "scaler.scale(loss).backward()"}}}};
}

}  // namespace

DiagnosisRule loss_not_scaled() {
  return {"loss_not_scaled",
          "The gradients of a loss are divided by a loss scale, but the loss was not multiplied by it.", find};
}

}  // namespace ampprof::analysis
