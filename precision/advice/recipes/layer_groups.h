// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "precision/advice/recipes/layer_evidence.h"

namespace ampprof::advice {

/// Layers that share their formats, as places in a list. All are of one kind, in modules with similar names and equal
/// sizes.
struct LayerGroup {
  std::string pattern;  ///< "blocks.*.fc1"; a module where there is one
  std::vector<std::size_t> layers = {};

  bool operator==(const LayerGroup&) const = default;
};

/// Groups layers whose modules have the same name up to numbers and contain the same ops and sizes. With `each_alone`
/// it groups only the layers of one module, since no policy rule could tell these apart.
std::vector<LayerGroup> groups_of(const std::vector<RecipeLayer>& layers, bool each_alone = false);

}  // namespace ampprof::advice
