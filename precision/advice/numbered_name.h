// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

namespace ampprof::advice {

/// Replaces each number in a module path by `*`: "blocks.3.attention" becomes "blocks.*.attention".
inline std::string without_numbers(const std::string& module) {
  std::string pattern;
  for (std::size_t begin = 0; begin <= module.size();) {
    const auto end = std::min(module.find('.', begin), module.size());
    const auto part = module.substr(begin, end - begin);
    const bool is_number = !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
    pattern += (begin > 0 ? "." : "") + (is_number ? "*" : part);
    begin = end + 1;
  }
  return pattern;
}

}  // namespace ampprof::advice
