// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "precision/probe/read_case.h"

namespace ampprof {
namespace {

/// `is_transposed`: of the factor as the op means it, however it is stored.
MatrixLayout layout_of(const TensorInfo& matrix, DType computed_in, bool is_transposed) {
  const auto& [dtype, shape, strides, alignment] = matrix;
  MatrixLayout layout{.is_transposed = is_transposed};
  if (strides.size() >= 2 && strides.size() == shape.size()) {
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

/// What is added to the product as a vector; other addends take a pass of their own.
bool adds_a_vector(std::string_view op, const Signature& signature, std::size_t left) {
  const std::size_t place = op == "linear" ? left + 2 : 0;
  if (op != "linear" && op != "addmm" && op != "_addmm_activation") return false;
  return place < signature.tensors.size() && signature.tensors[place].shape.size() == 1;
}

}  // namespace

std::optional<GemmCase> gemm_case(std::string_view op, const Signature& signature, DType computed_in) {
  const auto factors = gemm_factors(op);
  const auto product = gemm_product(op, signature);
  if (!factors || !product) return std::nullopt;
  GemmCase gemm;
  std::int64_t* const sizes[]{&gemm.i, &gemm.j, &gemm.k, &gemm.batch};  // in the order of Product::dims
  for (std::size_t at = 0; at < std::min(product->dims.size(), std::size(sizes)); ++at) {
    *sizes[at] = product->dims[at].second;
    if (*sizes[at] > kMostOfASize) return std::nullopt;
  }
  gemm.left = layout_of(signature.tensors[factors->left], computed_in, false);
  gemm.right = layout_of(signature.tensors[factors->left + 1], computed_in, factors->is_transposed);
  if (std::max(gemm.left.leading, gemm.right.leading) > kMostOfASize) return std::nullopt;
  gemm.has_bias = gemm.batch == 1 && adds_a_vector(op, signature, factors->left);
  return gemm;
}

}  // namespace ampprof
