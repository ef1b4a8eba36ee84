// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "precision/advice/recipes/format_solver.h"
#include "precision/advice/recipes/layer_groups.h"
#include "precision/advice/recipes/layer_time.h"

namespace ampprof::advice {

/// Returns BF16, which means no rounding, followed by the formats.
std::vector<recipes::Recipe> with_plain_first(const std::vector<recipes::Recipe>& formats);

/// Tells whether the recipe takes its scale from earlier steps. Transformer Engine keeps one such scale per tensor, so
/// the tensor cannot have a second format.
bool is_delayed(const recipes::Recipe& recipe);

/// All combinations of formats for a group of layers.
struct GroupChoices {
  LayerGroup group = {};
  OfMatmuls<bool> has = {};                            ///< whether any layer of the group has the matmul
  OfMatmuls<std::vector<std::string>> obstacles = {};  ///< reason why a format is impossible, by format; "" if possible
  OfMatmuls<std::vector<ErrorCost>> error_costs = {};  ///< cost of the rounding error, by format
  std::vector<Formats> formats = {};                   ///< formats of each choice
  std::vector<Choice> choices = {};

  /// Returns the index of the choice with these formats; the number of choices if there is none.
  std::size_t place_of(const Formats& wanted) const;
};

/// Lists the possible formats of a group with their times and error costs. `formats` begins with BF16.
GroupChoices choices_of(const LayerGroup& group, const RecipeEvidence& evidence,
                        const std::vector<recipes::Recipe>& formats);

}  // namespace ampprof::advice
