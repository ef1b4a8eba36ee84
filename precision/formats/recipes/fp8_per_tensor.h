// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/formats/recipes/recipe.h"

namespace ampprof::recipes {

/// Sets what FP8 recipes with one scale a tensor have in common: E4M3, but gradients in E5M2, under a scale of this
/// kind. A tensor's leading dimensions must be a multiple of 8, its last of 16, so that each of its matmuls has rows of
/// 16 bytes.
void set_fp8_per_tensor(Recipe& recipe, Scale scale, int history);

}  // namespace ampprof::recipes
