// SPDX-License-Identifier: Apache-2.0
#include "precision/impact/products.h"

#include <ATen/ATen.h>

#include <cmath>
#include <optional>

#include "precision/error/products.h"
#include "precision/impact/widened.h"
#include "precision/tensors/in_pieces.h"
#include "precision/tensors/length.h"
#include "precision/tensors/line_up.h"
#include "precision/tensors/plain_memory.h"

namespace ampprof::impact {
namespace {

at::Tensor multiplied(const at::Tensor& gradient, const at::Tensor& error) {
  return at::mul(widened(gradient), widened(error));
}

at::Tensor number(double value) { return at::scalar_tensor(value, at::kDouble); }

/// Empty where they are not on the CPU.
std::optional<error::ProductSums> found_on_cpu(const at::Tensor& gradient, const at::Tensor& error) {
  if (!gradient.is_cpu() || !error.is_cpu() || gradient.sizes() != error.sizes()) return std::nullopt;
  if (!tensors::is_measurable(gradient) || !tensors::is_measurable(error)) return std::nullopt;
  const auto [first, second] = tensors::in_one_order(gradient, error);
  const error::Elements a = tensors::elements(first), b = tensors::elements(second);
  error::ProductSums sums;
  for (const auto& piece : tensors::in_pieces<error::ProductSums>(
           a.size, [&](error::ProductSums&part, std::size_t start, std::size_t size) {
             part = error::cpu::products(a.part(start, size), b.part(start, size));
           })) {
    sums.merge(piece);
  }
  return sums;
}

}  // namespace

Products products_of(const at::Tensor& gradient, const at::Tensor& error) {
  if (const auto found = found_on_cpu(gradient, error)) return {number(found->sum), number(std::sqrt(found->sum_sq))};
  const at::Tensor products = multiplied(gradient, error);
  return {at::sum(products, at::kDouble), tensors::length_of(products)};
}

at::Tensor sum_of_products(const at::Tensor& gradient, const at::Tensor& error) {
  if (const auto found = found_on_cpu(gradient, error)) return number(found->sum);
  return at::sum(multiplied(gradient, error), at::kDouble);
}

at::Tensor norm_of_products(const at::Tensor& gradient, const at::Tensor& roundings) {
  return products_of(gradient, roundings).length;
}

}  // namespace ampprof::impact
