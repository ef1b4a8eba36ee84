// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "precision/formats/products/operand_rounding_sums.h"
#include "precision/formats/quantize/philox.h"
#include "precision/formats/recipes/operand.h"

namespace ampprof::products {

using quantize::RandomKey;
using recipes::Direction;
using recipes::Operand;

/// Diagonal S of every Hadamard transform. Both operands of a product need the same S, so there is only one.
inline constexpr std::uint16_t kHadamardSigns = 0xD7E8;

/// Settings of a copy, in addition to the operand.
struct CopySettings {
  /// Largest magnitude in earlier steps for a delayed scale: FP32, one element on the tensor's device. Undefined if
  /// there are no earlier steps. Other scales ignore it.
  at::Tensor amax = {};
  RandomKey random = {};            ///< for stochastic rounding
  OperandRoundingSums* losses = nullptr;  ///< receives the rounding losses
};

/// Returns the copy of a matrix, or of a batch [batch, rows, columns], that a matmul would read: rounded by `operand`,
/// in FP32, with the sizes of `tensor`. Takes any floating type and strides, on the CPU or on CUDA, without waiting for
/// the device. A scale per tensor covers the whole batch; blocks stay inside a matrix. Autograd records nothing, and
/// the state of the program does not change. `direction` is that of the row-major matrix.
///
/// Throws RecipeError if there is no CUDA kernel for this operand.
at::Tensor operand_copy(const at::Tensor& tensor, const Operand& operand, Direction direction,
                        const CopySettings& settings = {});

/// Returns the largest magnitude that operand_copy() would read: FP32, one element on the tensor's device, without
/// waiting for the device. The images of a convolution can only have a scale per tensor, because blocks lie in the
/// im2col matrix.
at::Tensor operand_amax(const at::Tensor& tensor, const Operand& operand, Direction direction);

}  // namespace ampprof::products
