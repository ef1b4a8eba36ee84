// SPDX-License-Identifier: Apache-2.0
#include "cli/text/nearest.h"

#include "amp_core/casts/function_names.h"

namespace ampprof::cli {
std::string nearest(std::string_view typed, const std::vector<std::string>& names) {
  const auto near = amp::nearest_names(typed, names, 1);
  return near.empty() ? "" : near.front();
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
