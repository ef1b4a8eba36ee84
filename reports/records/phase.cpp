// SPDX-License-Identifier: Apache-2.0
#include "reports/records/phase.h"

#include <algorithm>
#include <iterator>

#include "reports/records/enum_names.h"

namespace ampprof {

std::string_view name_of(Phase phase) {
  constexpr std::array<std::string_view, 5> kTexts{"forward", "backward", "optimizer", "inference", "recompute"};
  return text_among(kTexts, phase);
}

std::string_view short_name(Phase phase) {
  constexpr std::array<std::string_view, 5> kTexts{"", "bwd", "opt", "eval", "recompute"};
  return text_among(kTexts, phase);
}

std::optional<Phase> phase_from(std::string_view word) {
  const auto* found = std::ranges::find_if(kPhases, [&](Phase phase) { return name_of(phase) == word; });
  return found == std::end(kPhases) ? std::nullopt : std::optional(*found);
}

std::optional<Phase> phase_from_short(std::string_view word) {
  const auto* found = std::ranges::find_if(kPhases, [&](Phase phase) { return short_name(phase) == word; });
  return found == std::end(kPhases) || word.empty() ? std::nullopt : std::optional(*found);
}

std::vector<std::string> phase_names() {
  std::vector<std::string> names;
  for (const Phase phase : kPhases) names.emplace_back(name_of(phase));
  return names;
}

}  // namespace ampprof
