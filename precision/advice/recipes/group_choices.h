// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "precision/advice/recipes/format_solver.h"
#include "precision/advice/recipes/layer_groups.h"
#include "precision/advice/recipes/layer_time.h"

namespace ampprof::advice {

/// The formats that there are, the first without rounding: BF16.
std::vector<recipes::Recipe> with_plain_first(const std::vector<recipes::Recipe>& formats);

/// Whether a scale comes from earlier steps. Transformer Engine keeps it for a tensor as a whole, so that no other
/// format can be beside it.
bool is_delayed(const recipes::Recipe& recipe);

/// All ways to compute a group of layers.
struct GroupChoices {
  LayerGroup group = {};
  OfMatmuls<bool> has = {};                            ///< in any of its layers
  OfMatmuls<std::vector<std::string>> obstacles = {};  ///< by format: why it cannot be; "" where it can
  OfMatmuls<std::vector<ErrorCost>> damages = {};      ///< by format
  std::vector<Formats> formats = {};                   ///< of each choice
  std::vector<Choice> choices = {};

  /// Returns the place of the choice of these formats; the number of choices where there is none.
  std::size_t place_of(const Formats& wanted) const;
};

/// Works out what a group's formats can be, what they take and what they do. `formats` begin with the plain one.
GroupChoices choices_of(const LayerGroup& group, const RecipeEvidence& evidence,
                        const std::vector<recipes::Recipe>& formats);

}  // namespace ampprof::advice
