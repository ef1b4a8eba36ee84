// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/recipes/layer_groups.h"

#include <map>
#include <tuple>

#include "precision/advice/numbered_name.h"

namespace ampprof::advice {
namespace {

using Likeness =
    std::tuple<LayerKind, std::string, std::int64_t, std::int64_t, std::int64_t, std::int64_t, OfMatmuls<bool>>;

/// Layers of one module with the same LayerKind.
struct Unit {
  std::string module;
  std::vector<Likeness> likeness = {};
  std::vector<std::size_t> layers = {};
};

Likeness likeness_of(const RecipeLayer& layer) {
  return {layer.kind, layer.op, layer.rows, layer.columns, layer.leading, layer.groups, layer.has};
}

std::vector<Unit> units_of(const std::vector<RecipeLayer>& layers) {
  std::vector<Unit> units;
  std::map<std::pair<std::string, LayerKind>, std::size_t> places;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto [place, is_new] = places.try_emplace({layers[i].module, layers[i].kind}, units.size());
    if (is_new) units.push_back({layers[i].module});
    units[place->second].likeness.push_back(likeness_of(layers[i]));
    units[place->second].layers.push_back(i);
  }
  return units;
}

}  // namespace

std::vector<LayerGroup> groups_of(const std::vector<RecipeLayer>& layers, bool each_alone) {
  std::vector<LayerGroup> groups;
  std::map<std::pair<std::string, std::vector<Likeness>>, std::size_t> places;
  for (const Unit& unit : units_of(layers)) {
    const std::string name = each_alone ? unit.module : without_numbers(unit.module);
    const auto [place, is_new] = places.try_emplace({name, unit.likeness}, groups.size());
    if (is_new) groups.push_back({unit.module});
    LayerGroup& group = groups[place->second];
    if (!is_new) group.pattern = name;
    group.layers.insert(group.layers.end(), unit.layers.begin(), unit.layers.end());
  }
  return groups;
}

}  // namespace ampprof::advice
