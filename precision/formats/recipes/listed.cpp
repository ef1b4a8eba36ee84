// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/recipes/listed.h"

#include <algorithm>

#include "precision/formats/recipes/recipe.h"

namespace ampprof::recipes {
namespace {

bool is_switch(std::string_view name) {
  return std::ranges::any_of(all_recipes(), [&](const Shipped& shipped) {
    return std::ranges::any_of(shipped.switches, [&](const Switch& one) { return one.name == name; });
  });
}

}  // namespace

std::vector<std::string> listed(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (part.empty()) continue;
    if (!names.empty() && is_switch(part)) {
      names.back().append(",").append(part);
    } else {
      names.emplace_back(part);
    }
  }
  return names;
}

}  // namespace ampprof::recipes
