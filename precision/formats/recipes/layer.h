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

/// Tells whether a recipe takes a layer.
struct Decision {
  bool is_quantized = false;  ///< false: the layer stays BF16
  bool has_hardware = true;   ///< false: a GPU that supports the recipe for linear layers does not support this layer
  std::string reason;         ///< a sentence
};

Decision decide(const Recipe& recipe, const LayerSizes& sizes);

}  // namespace ampprof::recipes
