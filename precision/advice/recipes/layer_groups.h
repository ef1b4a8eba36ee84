// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "precision/advice/recipes/layer_evidence.h"

namespace ampprof::advice {

/// Layers that share their formats, as indices into a list. All have the same LayerKind and sizes, in modules with
/// similar names.
struct LayerGroup {
  std::string pattern;  ///< "blocks.*.fc1"; the module's path if there is only one module
  std::vector<std::size_t> layers = {};

  bool operator==(const LayerGroup&) const = default;
};

/// Groups layers whose modules have the same name up to numbers and contain the same ops and sizes. With `each_alone`
/// only the layers of one module share a group, since no policy rule can tell them apart.
std::vector<LayerGroup> groups_of(const std::vector<RecipeLayer>& layers, bool each_alone = false);

}  // namespace ampprof::advice
