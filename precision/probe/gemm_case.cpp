// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/gemm_case.h"

#include <algorithm>

#include "precision/rules/matmuls/gemm.h"
#include "reports/records/matmul_op.h"

namespace ampprof::probe {
namespace {

/// `is_transposed`: of the operand as the op means it, however it is stored.
MatrixLayout layout_of(const TensorInfo& matrix, DType computed_in, bool is_transposed) {
  const auto& [dtype, shape, strides, alignment] = matrix;
  MatrixLayout layout{.is_transposed = is_transposed};
  if (strides.size() >= 2) {
    std::size_t rows = shape.size() - 2;
    std::size_t columns = shape.size() - 1;
    if (strides[columns] != 1 && strides[rows] == 1) {
      std::swap(rows, columns);
      layout.is_transposed = !is_transposed;
    }
    // Where whole rows lie neither way, and where they overlap, LibTorch copies the matrix first.
    if (strides[columns] == 1 && strides[rows] > shape[columns]) layout.leading = strides[rows];
  }
  if (dtype != computed_in) {
    layout.leading = 0;
  } else if (alignment < kFullAlignment) {
    layout.offset = std::max(1, alignment / std::max(1, size_of(dtype)));
  }
  return layout;
}

/// What is added to the matmul as a vector; other addends take a pass of their own.
bool adds_a_vector(const MatmulOp& op, const Signature& signature) {
  if (op.adds == Addend::None || op.form == MatmulForm::Batched) return false;
  const std::size_t place = op.adds == Addend::Bias ? op.a + 2 : 0;
  return place < signature.tensors.size() && signature.tensors[place].shape.size() == 1;
}

}  // namespace

std::optional<GemmCase> gemm_case(std::string_view op, const Signature& signature, DType computed_in) {
  const auto operands = rules::gemm_operands(op);
  const auto matmul = rules::matmul_of_gemm(op, signature);
  if (!operands || !matmul) return std::nullopt;
  GemmCase gemm;
  std::int64_t* const sizes[]{&gemm.m, &gemm.n, &gemm.k, &gemm.batch};  // in the order of Matmul::dims
  for (std::size_t at = 0; at < std::min(matmul->dims.size(), std::size(sizes)); ++at) {
    *sizes[at] = matmul->dims[at].second;
    if (*sizes[at] > kLargestSize) return std::nullopt;
  }
  gemm.a = layout_of(signature.tensors[operands->a], computed_in, false);
  gemm.b = layout_of(signature.tensors[operands->a + 1], computed_in, operands->is_transposed);
  if (std::max(gemm.a.leading, gemm.b.leading) > kLargestSize) return std::nullopt;
  gemm.has_bias = adds_a_vector(*matmul_op(op), signature);
  return gemm;
}

}  // namespace ampprof::probe
