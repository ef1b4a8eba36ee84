// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <span>

#include "precision/rules/products/product.h"

namespace ampprof {
namespace {

using Shape = std::vector<std::int64_t>;

enum class Form {
  Matrices,  ///< [I,K] x [K,J]
  Batched,   ///< [batch,I,K] x [batch,K,J]
  Matmul,    ///< any number of leading dimensions, broadcast
  Linear,    ///< [...,K] x [J,K]
};

struct Gemm {
  std::string_view op;
  std::size_t left;  ///< which tensor argument is the left factor; the right one follows it
  Form form;
};

constexpr std::array kGemms{
    Gemm{"mm", 0, Form::Matrices},
    Gemm{"addmm", 1, Form::Matrices},
    Gemm{"_addmm_activation", 1, Form::Matrices},
    Gemm{"_scaled_mm", 0, Form::Matrices},
    Gemm{"bmm", 0, Form::Batched},
    Gemm{"baddbmm", 1, Form::Batched},
    Gemm{"addbmm", 1, Form::Batched},
    Gemm{"matmul", 0, Form::Matmul},
    Gemm{"linear", 0, Form::Linear},
};

// Empty where the number does not fit: shapes of a damaged report may be anything.
std::optional<std::int64_t> elements(std::span<const std::int64_t> sizes) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) {
    if (__builtin_mul_overflow(count, size, &count)) return std::nullopt;
  }
  return count;
}

std::optional<Product> product(std::optional<std::int64_t> batch, std::optional<std::int64_t> i, std::int64_t j,
                               std::int64_t k) {
  if (batch.value_or(0) <= 0 || i.value_or(0) <= 0 || j <= 0 || k <= 0) return std::nullopt;
  const auto count = static_cast<double>(*batch);
  Product product;
  product.dims = {{"I", *i}, {"J", j}, {"K", k}};
  product.alignable = product.dims;
  product.multiplications = {{count, {0, 1, 2}}};
  product.elements = {{count, {0, 2}}, {count, {2, 1}}, {count, {0, 1}}};
  product.output = {{1, {0}}, {1, {1}}, count};
  if (*batch > 1) product.dims.emplace_back("batch", *batch);
  return product;
}

std::optional<Product> matmul(const Shape& a, const Shape& b) {
  if (a.size() < 2 || b.size() < 2) return std::nullopt;
  const auto leading = [](const Shape& shape) { return std::span(shape).first(shape.size() - 2); };
  const std::int64_t k = a.back();
  // A plain matrix on the right is multiplied once with all rows of the left.
  if (b.size() == 2) return product(1, elements(std::span(a).first(a.size() - 1)), b.back(), k);
  const auto batch = std::max(elements(leading(a)), elements(leading(b)));
  return product(batch, a[a.size() - 2], b.back(), k);
}

std::optional<Product> product(Form form, const Shape& a, const Shape& b) {
  switch (form) {
    case Form::Matrices:
      if (a.size() != 2 || b.size() != 2) return std::nullopt;
      return product(1, a[0], b[1], a[1]);
    case Form::Batched:
      if (a.size() != 3 || b.size() != 3) return std::nullopt;
      return product(a[0], a[1], b[2], a[2]);
    case Form::Matmul:
      return matmul(a, b);
    case Form::Linear:
      if (a.size() < 2 || b.size() != 2) return std::nullopt;
      return product(1, elements(std::span(a).first(a.size() - 1)), b[0], a.back());
  }
  return std::nullopt;
}

/// Elements from one row (or column) of a matrix to the next, where that is not its own length; 0 where it is, and
/// where neither rows nor columns are whole, so that LibTorch copies the matrix first.
std::int64_t leading_dimension(const TensorInfo& matrix) {
  const auto& [dtype, shape, strides, alignment] = matrix;
  if (strides.size() < 2 || strides.size() != shape.size()) return 0;
  const std::size_t rows = shape.size() - 2;
  const std::size_t columns = shape.size() - 1;
  if (strides[columns] == 1) return strides[rows] == shape[columns] ? 0 : strides[rows];
  if (strides[rows] == 1) return strides[columns] == shape[rows] ? 0 : strides[columns];
  return 0;
}

void add_layout(Product& product, const char* name, const TensorInfo& matrix) {
  const std::int64_t leading = leading_dimension(matrix);
  if (leading == 0 && matrix.alignment == kFullAlignment) return;
  product.layouts.push_back({name, matrix.dtype, leading, matrix.alignment});
}

}  // namespace

std::optional<Factors> gemm_factors(std::string_view op) {
  const auto* gemm = std::ranges::find(kGemms, op, &Gemm::op);
  if (gemm == kGemms.end()) return std::nullopt;
  return Factors{.left = gemm->left, .is_transposed = gemm->form == Form::Linear};
}

std::optional<Product> gemm_product(std::string_view op, const Signature& signature) {
  const auto* gemm = std::ranges::find(kGemms, op, &Gemm::op);
  if (gemm == kGemms.end() || signature.tensors.size() < gemm->left + 2) return std::nullopt;
  const TensorInfo& left = signature.tensors[gemm->left];
  const TensorInfo& right = signature.tensors[gemm->left + 1];
  auto found = product(gemm->form, left.shape, right.shape);
  if (found) {
    add_layout(*found, "left factor", left);
    add_layout(*found, "right factor", right);
  }
  return found;
}

}  // namespace ampprof
