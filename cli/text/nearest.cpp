// SPDX-License-Identifier: Apache-2.0
#include "cli/text/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ampprof::cli {
namespace {

// Levenshtein's distance: insertions, deletions and replacements.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view typed, const std::vector<std::string>& names) {
  std::string best;
  std::size_t least = typed.size() / 3 + 2;
  for (const std::string& name : names) {
    const std::size_t distance = edits(typed, name);
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names) {
  const std::string name = nearest(typed, names);
  return name.empty() ? "" : " Did you mean '" + name + "'?";
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace ampprof::cli
