// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/recipes/recipe.h"

namespace ampprof::recipes {

Shipped fp16() {
  return {{.name = "fp16",
           .summary = "FP16 operands; small gradients need a loss scale",
           .least_sm = 70,
           .operands = all_operands({.element = Element::Half})}};
}

}  // namespace ampprof::recipes
