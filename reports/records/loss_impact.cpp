// SPDX-License-Identifier: Apache-2.0
#include "reports/records/loss_impact.h"

namespace ampprof {

std::string_view name_of(ImpactGradient gradient) {
  switch (gradient) {
    case ImpactGradient::Run:
      return "run";
    case ImpactGradient::Shadow:
      return "shadow";
    case ImpactGradient::Mean:
      return "mean";
  }
  return "?";
}

std::optional<double> ImpactSquares::sum() const {
  std::optional<double> sum;
  for (const auto& part : {activation, weight, output}) {
    if (part) sum = sum.value_or(0.0) + *part;
  }
  return sum;
}

void ImpactSquares::add(const ImpactSquares& other) {
  for (const auto part : {&ImpactSquares::activation, &ImpactSquares::weight, &ImpactSquares::output}) {
    if (other.*part) this->*part = (this->*part).value_or(0.0) + *(other.*part);
  }
}

std::string_view reason_of(ImpactGap gap) {
  switch (gap) {
    case ImpactGap::None:
      return "";
    case ImpactGap::GradientNotFinite:
      return "the gradient is not finite";
    case ImpactGap::ScaleUnknown:
      return "the loss scale is unknown";
    case ImpactGap::ErrorNotFinite:
      return "the output or its reference is not finite";
    case ImpactGap::NoMaster:
      return "there is no FP32 original of the parameter";
  }
  return "";
}

}  // namespace ampprof
