// SPDX-License-Identifier: Apache-2.0
#include "precision/impact/products.h"

#include <ATen/ATen.h>

#include <cmath>
#include <optional>

#include "precision/error/products.h"
#include "precision/impact/widened.h"
#include "precision/tensors/as_contiguous_pair.h"
#include "precision/tensors/in_pieces.h"
#include "precision/tensors/length.h"
#include "precision/tensors/plain_memory.h"

namespace ampprof::impact {
namespace {

at::Tensor multiplied(const Gradient& gradient, const at::Tensor& error) {
  return at::mul(widened(gradient.values()), widened(error));
}

at::Tensor number(double value) { return at::scalar_tensor(value, at::kDouble); }

/// Calls `products(start, size)` for each piece and adds up the results.
template <typename Find>
error::ProductSums added_up(std::size_t size, Find products) {
  error::ProductSums sums;
  for (const auto& piece : tensors::in_pieces<error::ProductSums>(
           size,
           [&](error::ProductSums&part, std::size_t start, std::size_t count) { part = products(start, count); })) {
    sums.merge(piece);
  }
  return sums;
}

bool is_on_cpu(const at::Tensor& tensor) { return tensor.is_cpu() && tensors::is_measurable(tensor); }

bool is_double(const error::Elements& elements) { return elements.dtype == DType::Double; }

/// Computes the sums for the mean of two gradients without storing the mean. Empty if the tensors differ in memory
/// order or if one is FP64.
std::optional<error::ProductSums> of_mean(const Gradient& gradient, const at::Tensor& error) {
  const auto [first, errors] = tensors::in_one_order(gradient.first(), error);
  const auto [second, errors_beside_second] = tensors::in_one_order(gradient.second(), errors);
  const error::Elements a = tensors::elements(first), other = tensors::elements(second), b = tensors::elements(errors);
  if (!errors_beside_second.is_same(errors) || is_double(a) || is_double(other) || is_double(b)) return std::nullopt;
  return added_up(a.size, [&](std::size_t start, std::size_t size) {
    return error::cpu::products_of_mean(a.part(start, size), other.part(start, size), b.part(start, size));
  });
}

/// Computes the sums on the CPU; empty for tensors that are not on the CPU.
std::optional<error::ProductSums> found_on_cpu(const Gradient& gradient, const at::Tensor& error) {
  const at::Tensor& first = gradient.first();
  if (!is_on_cpu(first) || !is_on_cpu(error) || first.sizes() != error.sizes()) return std::nullopt;
  if (gradient.second().defined() && is_on_cpu(gradient.second())) {
    if (const auto found = of_mean(gradient, error)) return found;
  }
  const auto [values, errors] = tensors::in_one_order(gradient.values(), error);
  const error::Elements a = tensors::elements(values), b = tensors::elements(errors);
  return added_up(a.size, [&](std::size_t start, std::size_t size) {
    return error::cpu::products(a.part(start, size), b.part(start, size));
  });
}

}  // namespace

at::Tensor Gradient::values() const {
  if (!second_.defined()) return first_;
  const at::Tensor first = widened(first_), second = widened(second_);
  const at::ScalarType type = at::result_type(first, second);
  return at::lerp(first.to(type), second.to(type), 0.5);
}

Products products_of(const Gradient& gradient, const at::Tensor& error) {
  if (const auto found = found_on_cpu(gradient, error)) return {number(found->sum), number(std::sqrt(found->sum_sq))};
  const at::Tensor products = multiplied(gradient, error);
  return {at::sum(products, at::kDouble), tensors::length_of(products)};
}

at::Tensor sum_of_products(const Gradient& gradient, const at::Tensor& error) {
  if (const auto found = found_on_cpu(gradient, error)) return number(found->sum);
  return at::sum(multiplied(gradient, error), at::kDouble);
}

at::Tensor norm_of_products(const Gradient& gradient, const at::Tensor& roundings) {
  return products_of(gradient, roundings).length;
}

}  // namespace ampprof::impact
