// SPDX-License-Identifier: Apache-2.0
#include "reports/gates/glob.h"

namespace ampprof::gates {

// After a mismatch, the latest `*` matches one more byte. The number of steps is at most the product of both lengths.
bool fits(std::string_view pattern, std::string_view text) {
  constexpr auto kNone = std::string_view::npos;
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = kNone;
  std::size_t taken_by_star = 0;
  const auto is_at = [&](char c) { return p < pattern.size() && pattern[p] == c; };
  while (t < text.size()) {
    if (is_at('*')) {
      star = p++;
      taken_by_star = t;
    } else if (is_at('?') || is_at(text[t])) {
      ++p;
      ++t;
    } else if (star != kNone) {
      p = star + 1;
      t = ++taken_by_star;
    } else {
      return false;
    }
  }
  while (is_at('*')) ++p;
  return p == pattern.size();
}

}  // namespace ampprof::gates
