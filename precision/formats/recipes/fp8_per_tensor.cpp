// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/recipes/fp8_per_tensor.h"

namespace ampprof::recipes {

void set_fp8_per_tensor(Recipe& recipe, Scale scale, int history) {
  const Operand value{.element = Element::Float8E4M3, .scale = scale, .history = history};
  const Operand gradient{.element = Element::Float8E5M2, .scale = scale, .history = history};
  recipe.least_sm = 89;
  recipe.has_convolutions = false;
  recipe.multiples = {.rows = 16, .columns = 16, .leading = 8};
  recipe.operands = all_operands(value);
  recipe[Slot::DgradGradOutput] = recipe[Slot::WgradGradOutput] = gradient;
}

}  // namespace ampprof::recipes
