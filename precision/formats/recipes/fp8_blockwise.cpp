// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/recipes/recipe.h"

namespace ampprof::recipes {
namespace {

void use_fp32_scales(Recipe& recipe) {
  for (Operand& operand : recipe.operands) operand.scale = Scale::BlockFloat;
}

}  // namespace

// DeepSeek-V3, arXiv 2412.19437, 3.3.2: tiles of 1x128 for activations and gradients, 128x128 for weights.
Shipped fp8_blockwise() {
  const Operand line{.element = Element::Float8E4M3, .scale = Scale::BlockPowerOfTwo, .block = {1, 128}};
  const Operand square{.element = Element::Float8E4M3, .scale = Scale::BlockPowerOfTwo, .block = {128, 128}};
  Recipe recipe{.name = "fp8_blockwise",
                .summary = "FP8 E4M3 in blocks of 128, weights of 128x128, with power-of-two scales",
                .least_sm = 90,
                .has_convolutions = false,
                .multiples = {128, 128, 128},
                .operands = all_operands(line)};
  recipe[Slot::FpropWeight] = recipe[Slot::DgradWeight] = square;
  return {recipe, {{"fp32_scales", "scales that are not powers of two, which Hopper supports too", use_fp32_scales}}};
}

}  // namespace ampprof::recipes
