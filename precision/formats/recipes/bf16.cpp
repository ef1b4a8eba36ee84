// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/recipes/recipe.h"

namespace ampprof::recipes {

Shipped bf16() {
  return {{.name = "bf16",
           .summary = "BF16 operands",
           .least_sm = 80,
           .operands = all_operands({.element = Element::BFloat16})}};
}

}  // namespace ampprof::recipes
