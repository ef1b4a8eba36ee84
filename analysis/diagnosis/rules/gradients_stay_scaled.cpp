// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/missing.h"

namespace ampprof::analysis {
namespace {

std::vector<Finding> find(const Symptoms& symptoms) {
  const queries::MissingRow* note = symptoms.noted(kUndividedGradients);
  if (note == nullptr || symptoms.updates.empty()) return {};
  const std::string& cause = note->missing.cause;
  const std::string said = cause.substr(0, cause.find(" before its backward"));
  return {{.mechanism = fmt::format("T{}, as a GradScaler does, but the gradients are never divided by the scale: "
                                    "neither scaler.step() nor scaler.unscale_() is called.",
                                    said.substr(std::min<std::size_t>(1, said.size()))),
           .consequence = "Each update uses gradients that are too large by the factor of the loss scale.",
           .cost = 1.0,
           .confidence = Confidence::Likely,
           .remedies = {{"Call scaler.step(optimizer) instead of optimizer.step(), and scaler.update() after it.",
                         "scaler.step(optimizer)\nscaler.update()"}}}};
}

}  // namespace

DiagnosisRule gradients_stay_scaled() {
  return {"gradients_stay_scaled", "Updates use gradients that are still multiplied by the loss scale.", find};
}

}  // namespace ampprof::analysis
