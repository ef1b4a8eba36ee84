// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/matmuls/gemm.h"

#include <algorithm>
#include <span>

#include "reports/records/matmul_op.h"

namespace ampprof::rules {
namespace {

using Shape = std::vector<std::int64_t>;

/// Returns the op; null for a convolution and for ops without a matmul.
const MatmulOp* gemm_op(std::string_view op) {
  const MatmulOp* found = matmul_op(op);
  return found != nullptr && !found->is_convolution() ? found : nullptr;
}

// Empty if the product overflows: shapes in a damaged report may be anything.
std::optional<std::int64_t> elements(std::span<const std::int64_t> sizes) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) {
    if (__builtin_mul_overflow(count, size, &count)) return std::nullopt;
  }
  return count;
}

std::optional<Matmul> matmul(std::optional<std::int64_t> batch, std::optional<std::int64_t> m, std::int64_t n,
                             std::int64_t k) {
  if (batch.value_or(0) <= 0 || m.value_or(0) <= 0 || n <= 0 || k <= 0) return std::nullopt;
  const auto count = static_cast<double>(*batch);
  Matmul matmul;
  matmul.dims = {{"M", *m}, {"N", n}, {"K", k}};
  matmul.alignable = matmul.dims;
  matmul.multiplications = {{count, {0, 1, 2}}};
  matmul.elements = {{count, {0, 2}}, {count, {2, 1}}, {count, {0, 1}}};
  matmul.output = {{1, {0}}, {1, {1}}, count};
  if (*batch > 1) matmul.dims.emplace_back("batch", *batch);
  return matmul;
}

std::optional<Matmul> broadcast(const Shape& a, const Shape& b) {
  if (a.size() < 2 || b.size() < 2) return std::nullopt;
  const auto leading = [](const Shape& shape) { return std::span(shape).first(shape.size() - 2); };
  const std::int64_t k = a.back();
  // If B has no batch dimension, one matmul multiplies it by all rows of A.
  if (b.size() == 2) return matmul(1, elements(std::span(a).first(a.size() - 1)), b.back(), k);
  const auto batch = std::max(elements(leading(a)), elements(leading(b)));
  return matmul(batch, a[a.size() - 2], b.back(), k);
}

std::optional<Matmul> matmul(MatmulForm form, const Shape& a, const Shape& b) {
  switch (form) {
    case MatmulForm::Matrices:
      if (a.size() != 2 || b.size() != 2) return std::nullopt;
      return matmul(1, a[0], b[1], a[1]);
    case MatmulForm::Batched:
      if (a.size() != 3 || b.size() != 3) return std::nullopt;
      return matmul(a[0], a[1], b[2], a[2]);
    case MatmulForm::Broadcast:
      return broadcast(a, b);
    case MatmulForm::Linear:
      if (a.size() < 2 || b.size() != 2) return std::nullopt;
      return matmul(1, elements(std::span(a).first(a.size() - 1)), b[0], a.back());
    default:  // a convolution
      return std::nullopt;
  }
}

/// Returns the number of elements from one row (or column) of a matrix to the next; 0 if rows are adjacent. Also 0 if
/// neither rows nor columns are contiguous, since LibTorch copies such a matrix first.
std::int64_t leading_dimension(const TensorInfo& matrix) {
  const auto& [dtype, shape, strides, alignment] = matrix;
  if (strides.size() < 2) return 0;
  const std::size_t rows = shape.size() - 2;
  const std::size_t columns = shape.size() - 1;
  if (strides[columns] == 1) return strides[rows] == shape[columns] ? 0 : strides[rows];
  if (strides[rows] == 1) return strides[columns] == shape[rows] ? 0 : strides[columns];
  return 0;
}

void add_layout(Matmul& matmul, const char* name, const TensorInfo& matrix) {
  const std::int64_t leading = leading_dimension(matrix);
  if (leading == 0 && matrix.alignment == kFullAlignment) return;
  matmul.layouts.push_back({name, matrix.dtype, leading, matrix.alignment});
}

}  // namespace

std::optional<Operands> gemm_operands(std::string_view op) {
  const MatmulOp* gemm = gemm_op(op);
  if (gemm == nullptr) return std::nullopt;
  return Operands{.a = gemm->a, .is_transposed = gemm->form == MatmulForm::Linear};
}

std::optional<Matmul> matmul_of_gemm(std::string_view op, const Signature& signature) {
  const MatmulOp* gemm = gemm_op(op);
  if (gemm == nullptr || signature.tensors.size() < gemm->a + 2) return std::nullopt;
  const TensorInfo& a = signature.tensors[gemm->a];
  const TensorInfo& b = signature.tensors[gemm->a + 1];
  auto found = matmul(gemm->form, a.shape, b.shape);
  if (found) {
    add_layout(*found, "operand A", a);
    add_layout(*found, "operand B", b);
  }
  return found;
}

}  // namespace ampprof::rules
