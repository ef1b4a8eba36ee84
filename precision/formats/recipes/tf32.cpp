// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/recipes/recipe.h"

namespace ampprof::recipes {

Shipped tf32() {
  return {{.name = "tf32",
           .summary = "FP32 operands; Tensor Cores read only ten bits of the mantissa",
           .least_sm = 80,
           .operands = all_operands({.element = Element::TensorFloat32})}};
}

}  // namespace ampprof::recipes
