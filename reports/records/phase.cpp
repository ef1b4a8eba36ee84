// SPDX-License-Identifier: Apache-2.0
#include "reports/records/phase.h"

#include <algorithm>
#include <iterator>

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

std::optional<Phase> phase_from(std::string_view word) {
  const auto* found = std::ranges::find_if(kPhases, [&](Phase phase) { return name_of(phase) == word; });
  return found == std::end(kPhases) ? std::nullopt : std::optional(*found);
}

std::vector<std::string> phase_names() {
  std::vector<std::string> names;
  for (const Phase phase : kPhases) names.emplace_back(name_of(phase));
  return names;
}

}  // namespace ampprof
