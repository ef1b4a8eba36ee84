// SPDX-License-Identifier: Apache-2.0
#include "reports/records/records.h"

namespace ampprof {

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
