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

/// The diagonal S of every Hadamard transform: both operands of a product need the same, so it is one for all.
inline constexpr std::uint16_t kHadamardSigns = 0xD7E8;

/// Tells a copy what its description does not.
struct CopySettings {
  /// For a delayed scale, the largest magnitude of earlier steps, FP32, one element on the tensor's device; undefined
  /// where there are none. Other scales do not look at it.
  at::Tensor amax = {};
  RandomKey random = {};            ///< of stochastic rounding
  OperandLosses* losses = nullptr;  ///< what is lost is added here
};

/// Returns the copy of a matrix, or of a batch of them [batch, rows, columns], that a matmul would read: rounded as
/// `operand` says, in FP32, with the sizes of `tensor`. Floating point of any type, any strides, on the CPU or CUDA
/// (without waiting for it). A tensor's own scale is that of the whole batch, blocks lie inside a matrix. Nothing is
/// recorded for autograd, nothing of the program's changes. `direction` is that of a row-major matrix.
///
/// Throws RecipeError where a GPU has no kernel for it.
at::Tensor operand_copy(const at::Tensor& tensor, const Operand& operand, Direction direction,
                        const CopySettings& settings = {});

/// Returns the largest magnitude of what operand_copy() rounds, FP32, one element on the tensor's device, without
/// waiting. Images of a convolution, whose blocks are not of this tensor, may be asked for a scale of the whole.
at::Tensor operand_amax(const at::Tensor& tensor, const Operand& operand, Direction direction);

}  // namespace ampprof::products
