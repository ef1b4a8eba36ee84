// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/recipes/recipe.h"

namespace ampprof::recipes {
namespace {

constexpr BlockShape kLine{1, 16};
constexpr BlockShape kSquare{16, 16};

void use_lines_for_weights(Recipe& recipe) {
  recipe[Slot::FpropWeight].block = recipe[Slot::DgradWeight].block = kLine;
}

void round_gradients_to_nearest(Recipe& recipe) {
  recipe[Slot::DgradGradOutput].rounding = recipe[Slot::WgradGradOutput].rounding = Rounding::NearestEven;
}

void leave_out_hadamard(Recipe& recipe) {
  recipe[Slot::WgradInput].transform = recipe[Slot::WgradGradOutput].transform = Transform::None;
}

}  // namespace

// arXiv 2509.25149, section 4: square blocks for weights, so that W and Wᵀ have the same values; stochastic rounding of
// gradients; a random Hadamard transform of the wgrad operands.
Shipped nvfp4() {
  const Operand line{.element = Element::Float4E2M1, .scale = Scale::BlockE4M3, .block = kLine};
  Recipe recipe{.name = "nvfp4",
                .summary = "FP4 E2M1 in blocks of 16, with E4M3 block scales and an FP32 tensor scale",
                .least_sm = 100,
                .has_convolutions = false,
                .multiples = {16, 16, 16},
                .operands = all_operands(line)};
  recipe[Slot::FpropWeight].block = recipe[Slot::DgradWeight].block = kSquare;
  recipe[Slot::DgradGradOutput].rounding = recipe[Slot::WgradGradOutput].rounding = Rounding::Stochastic;
  recipe[Slot::WgradInput].transform = recipe[Slot::WgradGradOutput].transform = Transform::Hadamard;
  return {recipe,
          {{"1d_weights", "weights in blocks of 1x16 too", use_lines_for_weights},
           {"nearest", "gradients rounded to nearest", round_gradients_to_nearest},
           {"no_hadamard", "no Hadamard transform for wgrad", leave_out_hadamard}}};
}

}  // namespace ampprof::recipes
