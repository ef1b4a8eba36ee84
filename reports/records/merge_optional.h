// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace ampprof {

/// Merges statistics that may be absent. Absent statistics add nothing.
template <typename Stats>
void merge_optional(std::optional<Stats>& into, const std::optional<Stats>& part) {
  if (into && part) {
    into->merge(*part);
  } else if (part) {
    into = part;
  }
}

}  // namespace ampprof
