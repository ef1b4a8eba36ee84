// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "precision/advice/recipes/layer_evidence.h"

namespace ampprof::advice {

/// Layers that share their formats: places in a list, all of one kind, and of modules whose names and sizes are alike.
struct LayerGroup {
  std::string pattern;  ///< "blocks.*.fc1"; a module where there is one
  std::vector<std::size_t> layers = {};

  bool operator==(const LayerGroup&) const = default;
};

/// Groups layers whose modules have one name up to numbers, and the same ops and sizes inside; with `each_alone` those
/// of one module. A module's layers are never apart, since no rule of a policy could tell them apart.
std::vector<LayerGroup> groups_of(const std::vector<RecipeLayer>& layers, bool each_alone = false);

}  // namespace ampprof::advice
