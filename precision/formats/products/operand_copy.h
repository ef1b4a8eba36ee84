// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "precision/formats/products/operand_losses.h"
#include "precision/formats/quantize/philox.h"
#include "precision/formats/recipes/operand.h"

namespace ampprof::products {

using quantize::RandomKey;
using recipes::Direction;
using recipes::Operand;

/// The diagonal S of every Hadamard transform. Both operands of a product need the same one, so there is only one.
inline constexpr std::uint16_t kHadamardSigns = 0xD7E8;

/// Settings of a copy besides its operand.
struct CopySettings {
  /// Largest magnitude of earlier steps for a delayed scale: FP32, one element on the tensor's device. Undefined
  /// without earlier steps. Other scales ignore it.
  at::Tensor amax = {};
  RandomKey random = {};            ///< for stochastic rounding
  OperandLosses* losses = nullptr;  ///< receives the losses
};

/// Returns the copy of a matrix, or of a batch [batch, rows, columns], that a matmul would read: rounded by `operand`,
/// in FP32, with the sizes of `tensor`. Takes any floating type and strides, on the CPU or on CUDA, without waiting for
/// the device. A scale per tensor covers the whole batch; blocks stay inside a matrix. Autograd records nothing, and
/// the program's state does not change. `direction` is that of a row-major matrix.
///
/// Throws RecipeError if a GPU has no kernel for it.
at::Tensor operand_copy(const at::Tensor& tensor, const Operand& operand, Direction direction,
                        const CopySettings& settings = {});

/// Returns the largest magnitude that operand_copy() would see: FP32, one element on the tensor's device, without
/// waiting. For images of a convolution, whose blocks differ from this tensor's, only a scale of the whole tensor is
/// possible.
at::Tensor operand_amax(const at::Tensor& tensor, const Operand& operand, Direction direction);

}  // namespace ampprof::products
