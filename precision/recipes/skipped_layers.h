// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "precision/formats/recipes/layer.h"
#include "precision/recipes/plan.h"

namespace amp::recipes {

/// Returns the formats whose recipes quantize a layer of these sizes. Reports the other recipes, which leave the layer
/// as it is, to stderr, once for each `place`.
Formats taken(Formats formats, const ampprof::recipes::LayerSizes& sizes, const std::string& place);

/// Turns the reports of taken() on or off.
void report_unquantized_layers(bool on);

}  // namespace amp::recipes
