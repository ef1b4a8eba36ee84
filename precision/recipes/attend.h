// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "precision/formats/products/arguments.h"
#include "precision/recipes/layer.h"

namespace amp::recipes {

/// The two matmuls of attention.
struct AttentionLayers {
  std::shared_ptr<const Layer> scores;   ///< query · keyᵀ
  std::shared_ptr<const Layer> results;  ///< softmax of scores · value
};

/// Computes scaled_dot_product_attention(): the two matmuls with these layers, and the softmax in FP32.
at::Tensor attend(const AttentionLayers& layers, const ampprof::products::Arguments& arguments);

}  // namespace amp::recipes
