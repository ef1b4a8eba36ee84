// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/nearest.h"

#include "amp_core/policy/function_names.h"

namespace ampprof::analysis {

std::string nearest(std::string_view typed, const std::vector<std::string>& names) {
  const auto near = amp::nearest_names(typed, names, 1);
  return near.empty() ? "" : near.front();
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names) {
  const std::string name = nearest(typed, names);
  return name.empty() ? "" : " Did you mean '" + name + "'?";
}

}  // namespace ampprof::analysis
