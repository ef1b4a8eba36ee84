// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace ampprof {

/// Returns the text of an enumerator from texts in the order of their numbers; `other` for a number beyond them.
template <class Enum, std::size_t kCount>
constexpr std::string_view text_among(const std::array<std::string_view, kCount>& texts, Enum enumerator,
                                      std::string_view other = "?") {
  const auto number = static_cast<std::size_t>(enumerator);
  return number < kCount ? texts[number] : other;
}

}  // namespace ampprof
