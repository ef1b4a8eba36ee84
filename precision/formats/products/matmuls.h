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

// The matmuls of a linear layer have x [leading, columns], W [rows, columns], y and its gradient dy [leading, rows].
// With a dimension in front, each has a batch of such matrices. An operand is 0 or 1, in the order that Matmul has.

/// Says what stands for W: a layer's weight, or what the program computed (attention's products), which is rounded as
/// an input is.
enum class Second : std::uint8_t { Weight, Activation };

/// Returns how an operand of a matmul is rounded.
Operand operand_of(const Recipe& recipe, Matmul matmul, int which, Second second);

/// Returns along which dimension the row-major tensor is contracted.
Direction direction_of(Matmul matmul, int which);

/// Tells a product what its operands do not.
struct ProductSettings {
  Second second = Second::Weight;
  RandomKey random = {};                      ///< of stochastic roundings: a stream of its own for each product
  std::array<at::Tensor, 2> amax = {};        ///< of delayed scales: CopySettings::amax
  std::array<OperandLosses*, 2> losses = {};  ///< where not null, what the operands lose is added
};

/// A product, and the copies of its operands that it is of: FP32, each with the sizes of what it stands for.
struct RoundedProduct {
  at::Tensor first;  ///< of a convolution undefined, as is `second`, where one element of a tensor has several copies
  at::Tensor second;
  at::Tensor values;
};

/// Multiplies rounded copies of two operands, with sums in IEEE FP32, on the device of the operands. Nothing is
/// recorded for autograd.
RoundedProduct product(const Recipe& recipe, Matmul matmul, const at::Tensor& first, const at::Tensor& second,
                       const ProductSettings& settings = {});

/// Returns what of a product's settings is for the copy of one operand.
CopySettings copy_settings(const ProductSettings& settings, int which);

/// Multiplies the operands as they are, in `type`: FP32, which is IEEE whatever the program allows, or FP64.
at::Tensor exact_product(Matmul matmul, const at::Tensor& first, const at::Tensor& second, at::ScalarType type);

/// Returns what a recipe decides on sizes for, of x and W (as of fprop).
recipes::LayerSizes sizes_of(const at::Tensor& input, const at::Tensor& weight, bool is_convolution = false);

}  // namespace ampprof::products
