// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>

#include "precision/rules/product.h"

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

std::int64_t elements(std::span<const std::int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

std::optional<Product> product(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t k) {
  if (batch <= 0 || i <= 0 || j <= 0 || k <= 0) return std::nullopt;
  Product product{{{"I", i}, {"J", j}, {"K", k}}, {{"I", i}, {"J", j}, {"K", k}}};
  if (batch > 1) product.dims.emplace_back("batch", batch);
  return product;
}

std::optional<Product> matmul(const Shape& a, const Shape& b) {
  if (a.size() < 2 || b.size() < 2) return std::nullopt;
  const auto leading = [](const Shape& shape) { return std::span(shape).first(shape.size() - 2); };
  const std::int64_t rows = a[a.size() - 2];
  const std::int64_t k = a.back();
  // A plain matrix on the right is multiplied once with all rows of the left.
  if (b.size() == 2) return product(1, elements(leading(a)) * rows, b.back(), k);
  const std::int64_t batch = std::max(elements(leading(a)), elements(leading(b)));
  return product(batch, rows, b.back(), k);
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

}  // namespace

std::optional<Product> gemm_product(std::string_view op, const Signature& signature) {
  const auto* gemm = std::ranges::find(kGemms, op, &Gemm::op);
  if (gemm == kGemms.end() || signature.tensors.size() < gemm->left + 2) return std::nullopt;
  return product(gemm->form, signature.tensors[gemm->left].shape, signature.tensors[gemm->left + 1].shape);
}

}  // namespace ampprof
