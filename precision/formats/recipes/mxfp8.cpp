// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/recipes/recipe.h"

namespace ampprof::recipes {
namespace {

void use_e5m2_gradients(Recipe& recipe) {
  for (const Slot slot : {Slot::DgradGradOutput, Slot::WgradGradOutput}) recipe[slot].element = Element::Float8E5M2;
}

}  // namespace

// OCP Microscaling Formats 1.0. Scales are rounded up, as in cublasLt's documentation, so that nothing saturates.
Shipped mxfp8() {
  const Operand line{.element = Element::Float8E4M3, .scale = Scale::BlockE8M0, .block = {1, 32}};
  return {{.name = "mxfp8",
           .summary = "FP8 E4M3 in blocks of 32, each with a power-of-two scale",
           .least_sm = 100,
           .has_convolutions = false,
           .multiples = {32, 32, 32},
           .operands = all_operands(line)},
          {{"e5m2_gradients", "gradients in E5M2", use_e5m2_gradients}}};
}

}  // namespace ampprof::recipes
