// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace amp {

/// Returns the words of a line, which whitespace separates; `#` starts a comment.
inline std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> words;
  for (auto begin = line.find_first_not_of(kBlanks); begin != line.npos; begin = line.find_first_not_of(kBlanks)) {
    line.remove_prefix(begin);
    words.push_back(line.substr(0, line.find_first_of(kBlanks)));
    line.remove_prefix(words.back().size());
  }
  return words;
}

}  // namespace amp
