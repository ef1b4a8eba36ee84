// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/formats/products/matmuls.h"
#include "profiler/calls/output_pair.h"
#include "profiler/recipes/layer_call.h"

namespace ampprof::profiler {

/// Returns a function that computes dgrad or wgrad of a layer's call in a recipe, when the backward pass of the step
/// runs again. `settings`: the product's settings in the program's own pass; their sums of rounding losses are not
/// used.
GradientProduct gradient_product(const LayerCall& call, const recipes::Recipe& recipe, Matmul matmul,
                                 products::ProductSettings settings);

}  // namespace ampprof::profiler
