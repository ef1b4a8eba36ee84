// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/formats/products/matmuls.h"
#include "profiler/calls/output_pair.h"
#include "profiler/recipes/layer_call.h"

namespace ampprof::profiler {

/// Returns how a recipe computes dgrad or wgrad of a layer's call, for the same call in another run of its step.
/// `settings`: those of the run's own product, whose sums of losses are left out.
GradientProduct gradient_product(const LayerCall& call, const recipes::Recipe& recipe, Matmul matmul,
                                 products::ProductSettings settings);

}  // namespace ampprof::profiler
