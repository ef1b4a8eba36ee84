// SPDX-License-Identifier: Apache-2.0
#include "reports/records/gradient_impact.h"

#include "reports/records/enum_names.h"

namespace ampprof {

std::string_view reason_of(GradientImpactGap gap) {
  constexpr std::array<std::string_view, 4> kTexts{
      "", "its output is an intermediate result within one autograd node, not the gradient of a tensor",
      "the output or its reference is not finite", "its errors exceed the memory limit"};
  return text_among(kTexts, gap, "");
}

}  // namespace ampprof
