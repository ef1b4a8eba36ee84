// SPDX-License-Identifier: Apache-2.0
#include "reports/records/gradient_impact.h"

namespace ampprof {

std::string_view reason_of(GradientImpactGap gap) {
  switch (gap) {
    case GradientImpactGap::None:
      return "";
    case GradientImpactGap::NoCotangent:
      return "its output is a part of one autograd node's work, and no gradient of a tensor";
    case GradientImpactGap::ErrorNotFinite:
      return "the output or its reference is not finite";
    case GradientImpactGap::LeftOut:
      return "its errors do not fit the memory for them";
  }
  return "";
}

}  // namespace ampprof
