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

/// Sizes of a convolution of images; of fewer or more dimensions, with 1 or a product in their place.
struct ConvolutionSizes {
  std::int64_t batch = 0;
  std::int64_t output_height = 0;
  std::int64_t output_width = 0;
  std::int64_t output_channels = 0;
  std::int64_t input_channels = 0;
  std::int64_t kernel_height = 0;
  std::int64_t kernel_width = 0;
  std::int64_t groups = 1;
};

/// Returns a convolution as the matmul of one of its groups (im2col): columns are kernel height · width · input
/// channels.
LayerSizes as_matmul(const ConvolutionSizes& sizes);

/// Whether a recipe takes a layer.
struct Decision {
  bool is_quantized = false;  ///< false: the layer stays BF16
  bool has_hardware = true;   ///< false: a GPU that has the recipe for linear layers still has not for this one
  std::string reason;         ///< a sentence
};

Decision decide(const Recipe& recipe, const LayerSizes& sizes);

}  // namespace ampprof::recipes
