// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/formats/products/operand_copy.h"

/// Rounds one row-major matrix, with twins for CPU and CUDA. `from` is FP32 or BF16, `to` FP32, both with unit stride
/// along a row.
namespace ampprof::products {

/// The rounding of one matrix.
struct MatrixRounding {
  const Operand& operand;
  Direction direction;
  at::Tensor amax;  ///< amax for the scale of the tensor, as in quantize::Settings; undefined if there is none
  RandomKey random;
};

namespace cpu {
void round_matrix(const at::Tensor& from, const at::Tensor& to, const MatrixRounding& how, OperandRoundingSums* losses);
/// Raises `largest`, one FP32 element, to the largest magnitude of `from`.
void raise_amax(const at::Tensor& from, const MatrixRounding& how, const at::Tensor& largest);
}  // namespace cpu

namespace cuda {
void round_matrix(const at::Tensor& from, const at::Tensor& to, const MatrixRounding& how, OperandRoundingSums* losses);
void raise_amax(const at::Tensor& from, const MatrixRounding& how, const at::Tensor& largest);
}  // namespace cuda

}  // namespace ampprof::products
