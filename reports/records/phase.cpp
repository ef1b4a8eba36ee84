// SPDX-License-Identifier: Apache-2.0
#include "reports/records/records.h"

namespace ampprof {

std::string_view name_of(Phase phase) {
  switch (phase) {
    case Phase::Forward:
      return "forward";
    case Phase::Backward:
      return "backward";
    case Phase::Optimizer:
      return "optimizer";
    case Phase::Recompute:
      return "recompute";
    case Phase::Inference:
      return "inference";
  }
  return "?";
}

}  // namespace ampprof
