// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "precision/formats/recipes/recipe.h"

namespace ampprof::recipes {

/// Sizes of a layer's matmuls: y [leading, rows] = x [leading, columns] times W [rows, columns] transposed.
struct LayerSizes {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t leading = 0;
  bool is_convolution = false;
};

/// Tells whether a recipe quantizes a layer, and why.
struct Decision {
  bool is_quantized = false;  ///< if false, the layer stays BF16
  bool has_hardware = true;   ///< false if GPUs support the recipe for linear layers but not for this layer
  std::string reason;         ///< sentence that explains the decision
};

Decision decide(const Recipe& recipe, const LayerSizes& sizes);

}  // namespace ampprof::recipes
