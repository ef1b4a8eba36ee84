// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iterator>
#include <string>
#include <string_view>

/// Parts of the error messages in this folder.
namespace ampprof::recipes {

inline std::string quoted(std::string_view word) { return '"' + std::string(word) + '"'; }

/// Returns "a, b or c" from `name_of` of each entry.
template <typename Range, typename NameOf>
std::string names_of(const Range& range, NameOf name_of) {
  std::string names;
  std::size_t left = std::size(range);
  for (const auto& entry : range) {
    names += std::string(std::invoke(name_of, entry));
    --left;
    if (left > 0) names += left == 1 ? " or " : ", ";
  }
  return names;
}

}  // namespace ampprof::recipes
