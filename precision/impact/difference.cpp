// SPDX-License-Identifier: Apache-2.0
#include "precision/impact/difference.h"

#include <ATen/ATen.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "precision/error/differences.h"
#include "precision/impact/products.h"
#include "precision/impact/widened.h"
#include "precision/tensors/as_contiguous_pair.h"
#include "precision/tensors/in_pieces.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"
#include "precision/tensors/read_scalars_async.h"

namespace ampprof::impact {
namespace {

/// Returns the largest magnitude of a tensor, or NaN if the tensor contains NaN, in one pass without extra memory.
at::Tensor largest_of(const at::Tensor& tensor) {
  if (tensor.numel() == 0) return at::zeros({}, tensor.options());
  return at::linalg_vector_norm(tensor, std::numeric_limits<double>::infinity());
}

/// Returns `product`, but 0 if the whole error is 0, even if the gradient is not finite.
double unless_no_error(double product, const at::Tensor& error) {
  return std::isfinite(product) || largest_of(error).item<double>() != 0 ? product : 0.0;
}

bool is_float_on_cpu(const at::Tensor& tensor) {
  return tensor.is_cpu() && tensors::is_measurable(tensor) && tensor.scalar_type() != at::kDouble;
}

/// Tells whether difference_on_cpu() supports these tensors.
bool have_same_layout(const at::Tensor& low, const at::Tensor& high) {
  return is_float_on_cpu(low) && is_float_on_cpu(high) && low.sizes() == high.sizes() &&
         tensors::are_dense_alike(low, high);
}

/// Computes the difference in one pass.
at::Tensor difference_on_cpu(const at::Tensor& low, const at::Tensor& high) {
  const auto [a, b] = tensors::in_one_order(low, high);
  const at::Tensor kept = at::empty_like(a, at::kBFloat16);
  const error::Elements of_a = tensors::elements(a), of_b = tensors::elements(b);
  auto* const to = static_cast<std::uint16_t*>(kept.mutable_data_ptr());
  struct Nothing {};
  tensors::in_pieces<Nothing>(of_a.size, [&](Nothing&, std::size_t start, std::size_t size) {
    error::cpu::difference(of_a.part(start, size), of_b.part(start, size), to + start);
  });
  return kept;
}

}  // namespace

at::Tensor difference(const at::Tensor& low, const at::Tensor& high) {
  const tensors::ObserverDisabledGuard guard;
  if (have_same_layout(low, high)) return difference_on_cpu(low, high);
  return at::sub(widened(low), high).to(at::kBFloat16).masked_fill_(at::eq(low, high), 0);  // -inf - -inf is NaN
}

double inner_product(const Gradient& gradient, const at::Tensor& error) {
  const tensors::ObserverDisabledGuard guard;
  return unless_no_error(sum_of_products(gradient, error).item<double>(), error);
}

ErrorProducts products_with_square(const Gradient& gradient, const at::Tensor& error) {
  const tensors::ObserverDisabledGuard guard;
  const Products products = products_of(gradient, error);
  const auto length = products.length.item<double>();
  return {unless_no_error(products.sum.item<double>(), error), length * length};
}

double square_of_products(const Gradient& gradient, const at::Tensor& roundings) {
  const tensors::ObserverDisabledGuard guard;
  const double norm = norm_of_products(gradient, roundings).item<double>();
  return norm * norm;
}

at::Tensor rounding_to(const at::Tensor& tensor, at::ScalarType type) {
  const tensors::ObserverDisabledGuard guard;
  return difference(tensor.to(type), tensor);
}

at::Tensor expected_rounding(const at::Tensor& rounded) {
  const tensors::ObserverDisabledGuard guard;
  // Flipping the last bit gives the neighbour one spacing away, with the same exponent.
  const at::Tensor neighbours = at::bitwise_xor(rounded.view(at::kShort), 1).view(rounded.scalar_type());
  const at::Tensor spacings = at::sub(neighbours.to(at::kFloat), rounded.to(at::kFloat));
  return spacings.mul_(1.0 / std::sqrt(12.0)).to(at::kBFloat16);
}

bool is_finite(const Gradient& gradient) {
  const tensors::ObserverDisabledGuard guard;
  return std::isfinite(largest_of(gradient.values()).item<double>());
}

void inner_product_later(const Gradient& gradient, const at::Tensor& error, tensors::DeferredReductions& results,
                         std::function<void(double product, bool is_gradient_finite)> arrived) {
  const tensors::ObserverDisabledGuard guard;
  const at::Tensor values = gradient.values();  // computes the mean if the gradient is one of two tensors
  tensors::read_scalars_async({sum_of_products(values, error), largest_of(values), largest_of(error)}, results,
                              [arrived = std::move(arrived)](std::span<const double> found) {
                                const bool has_error = found[2] != 0;
                                arrived(has_error ? found[0] : 0.0, std::isfinite(found[1]));
                              });
}

void products_with_square_later(const Gradient& gradient, const at::Tensor& error, tensors::DeferredReductions& results,
                                std::function<void(ErrorProducts products, bool is_gradient_finite)> arrived) {
  const tensors::ObserverDisabledGuard guard;
  const at::Tensor values = gradient.values();
  const Products products = products_of(values, error);
  tensors::read_scalars_async({products.sum, products.length, largest_of(values), largest_of(error)}, results,
                              [arrived = std::move(arrived)](std::span<const double> found) {
                                const double sum = found[3] != 0 ? found[0] : 0.0;
                                arrived({sum, found[1] * found[1]}, std::isfinite(found[2]));
                              });
}

void square_of_products_later(const Gradient& gradient, const at::Tensor& roundings,
                              tensors::DeferredReductions& results, std::function<void(double square)> arrived) {
  const tensors::ObserverDisabledGuard guard;
  tensors::read_scalars_async(
      {norm_of_products(gradient, roundings)}, results,
      [arrived = std::move(arrived)](std::span<const double> found) { arrived(found[0] * found[0]); });
}

}  // namespace ampprof::impact
