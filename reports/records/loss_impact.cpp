// SPDX-License-Identifier: Apache-2.0
#include "reports/records/loss_impact.h"

#include "reports/records/enum_names.h"

namespace ampprof {

std::string_view name_of(ImpactGradient gradient) {
  constexpr std::array<std::string_view, 3> kTexts{"run", "shadow", "mean"};
  return text_among(kTexts, gradient);
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
  constexpr std::array<std::string_view, 5> kTexts{"", "the gradient is not finite", "the loss scale is unknown",
                                                   "the output or its reference is not finite",
                                                   "the parameter has no FP32 original"};
  return text_among(kTexts, gap, "");
}

}  // namespace ampprof
