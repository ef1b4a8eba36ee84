// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace ampprof {

/// Merges statistics that may be absent. An absent one adds nothing.
template <typename Stats>
void merge_optional(std::optional<Stats>& into, const std::optional<Stats>& part) {
  if (into && part) {
    into->merge(*part);
  } else if (part) {
    into = part;
  }
}

}  // namespace ampprof
