// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/formats/recipes/recipe.h"

namespace ampprof::recipes {

/// Sets the common part of FP8 recipes with one scale per tensor: E4M3 for inputs and weights, E5M2 for gradients. The
/// leading dimensions of a tensor must be a multiple of 8, and its last dimension must be a multiple of 16, so that the
/// rows of each matmul have multiples of 16 bytes.
void set_fp8_per_tensor(Recipe& recipe, Scale scale, int history);

}  // namespace ampprof::recipes
