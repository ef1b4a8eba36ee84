// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>

#include "precision/formats/products/operand_copy.h"
#include "precision/formats/recipes/layer.h"
#include "precision/formats/recipes/recipe.h"
#include "reports/records/matmul.h"

namespace ampprof::products {

using recipes::Recipe;
using recipes::Slot;

// The matmuls of a linear layer have x [leading, columns], W [rows, columns], and y and its gradient dy [leading,
// rows]. An extra leading dimension makes a batch of such matrices. `which` selects an operand of a matmul, 0 or 1, in
// the order documented at Matmul.

/// Role of the second operand: a layer's weight, or an activation (as in attention), which is rounded like an input.
enum class Second : std::uint8_t { Weight, Activation };

/// Returns how a recipe rounds an operand of a matmul.
Operand operand_of(const Recipe& recipe, Matmul matmul, int which, Second second);

/// Returns whether the contracted dimension of an operand, which is row-major, lies along its rows or its columns.
Direction direction_of(Matmul matmul, int which);

/// Settings of a product, in addition to the operands.
struct ProductSettings {
  Second second = Second::Weight;
  RandomKey random = {};                      ///< for stochastic rounding: each product needs its own stream
  std::array<at::Tensor, 2> amax = {};        ///< for delayed scales: CopySettings::amax
  std::array<OperandRoundingSums*, 2> losses = {};  ///< receive the rounding losses of the operands; null if not wanted
};

/// A product and the rounded copies of its operands: FP32, each with the sizes of the original.
struct RoundedProduct {
  at::Tensor first;  ///< undefined, like `second`, if convolution_product() rounded im2col matrices
  at::Tensor second;
  at::Tensor values;
};

/// Multiplies rounded copies of two operands, with sums in IEEE FP32, on the operands' device. Autograd records
/// nothing.
RoundedProduct product(const Recipe& recipe, Matmul matmul, const at::Tensor& first, const at::Tensor& second,
                       const ProductSettings& settings = {});

/// Returns the settings for the copy of one operand.
CopySettings copy_settings(const ProductSettings& settings, int which);

/// Multiplies the operands without rounding, in `type`: FP64, or FP32, which is IEEE whatever the program allows.
at::Tensor exact_product(Matmul matmul, const at::Tensor& first, const at::Tensor& second, at::ScalarType type);

/// Returns the sizes from which a recipe decides whether to quantize. The arguments are x and W of fprop.
recipes::LayerSizes sizes_of(const at::Tensor& input, const at::Tensor& weight, bool is_convolution = false);

}  // namespace ampprof::products
