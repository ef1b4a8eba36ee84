// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/formats/products/matmuls.h"
#include "profiler/calls/output_pair.h"
#include "profiler/recipes/layer_call.h"

namespace ampprof::profiler {

/// Returns how a recipe computes dgrad or wgrad of a layer's call, to repeat the call in another run of its step.
/// `settings` are those of the run's own product; their sums of losses are not used.
GradientProduct gradient_product(const LayerCall& call, const recipes::Recipe& recipe, Matmul matmul,
                                 products::ProductSettings settings);

}  // namespace ampprof::profiler
