// SPDX-License-Identifier: Apache-2.0
#include "precision/impact/difference.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "precision/impact/products.h"
#include "precision/impact/widened.h"
#include "precision/tensors/numbers_later.h"
#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::impact {
namespace {

/// Returns the largest magnitude of a tensor, NaN where there is one: in one pass that needs no memory.
at::Tensor largest_of(const at::Tensor& tensor) {
  if (tensor.numel() == 0) return at::zeros({}, tensor.options());
  return at::linalg_vector_norm(tensor, std::numeric_limits<double>::infinity());
}

/// No error does nothing, even where the gradient is not finite.
double unless_no_error(double product, const at::Tensor& error) {
  return std::isfinite(product) || largest_of(error).item<double>() != 0 ? product : 0.0;
}

}  // namespace

at::Tensor difference(const at::Tensor& low, const at::Tensor& high) {
  const tensors::ObserverDisabledGuard guard;
  const at::Tensor kept = at::sub(widened(low), high).to(at::kBFloat16);
  // A mask's -inf. Looked for in what is small already, and only there: most tensors are finite. A device is not asked.
  if (kept.is_cpu() && std::isfinite(at::sum(kept, at::kFloat).item<float>())) return kept;
  return kept.masked_fill_(at::eq(low, high), 0);
}

double inner_product(const at::Tensor& gradient, const at::Tensor& error) {
  const tensors::ObserverDisabledGuard guard;
  return unless_no_error(sum_of_products(gradient, error).item<double>(), error);
}

ErrorProducts products_with_square(const at::Tensor& gradient, const at::Tensor& error) {
  const tensors::ObserverDisabledGuard guard;
  const Products products = products_of(gradient, error);
  const auto length = products.length.item<double>();
  return {unless_no_error(products.sum.item<double>(), error), length * length};
}

double square_of_products(const at::Tensor& gradient, const at::Tensor& roundings) {
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
  // The number whose last bit is the other one is one spacing away, in the same binade.
  const at::Tensor neighbours = at::bitwise_xor(rounded.view(at::kShort), 1).view(rounded.scalar_type());
  const at::Tensor spacings = at::sub(neighbours.to(at::kFloat), rounded.to(at::kFloat));
  return spacings.mul_(1.0 / std::sqrt(12.0)).to(at::kBFloat16);
}

at::Tensor mean_of(const at::Tensor& a, const at::Tensor& b) {
  const tensors::ObserverDisabledGuard guard;
  return at::lerp(widened(a), widened(b), 0.5);
}

bool is_finite(const at::Tensor& tensor) {
  const tensors::ObserverDisabledGuard guard;
  return std::isfinite(largest_of(tensor).item<double>());
}

void inner_product_later(const at::Tensor& gradient, const at::Tensor& error, tensors::DeviceResults& results,
                         std::function<void(double product, bool is_gradient_finite)> arrived) {
  const tensors::ObserverDisabledGuard guard;
  tensors::numbers_later({sum_of_products(gradient, error), largest_of(gradient), largest_of(error)}, results,
                         [arrived = std::move(arrived)](std::span<const double> found) {
                           const bool has_error = found[2] != 0;
                           arrived(has_error ? found[0] : 0.0, std::isfinite(found[1]));
                         });
}

void products_with_square_later(const at::Tensor& gradient, const at::Tensor& error, tensors::DeviceResults& results,
                                std::function<void(ErrorProducts products, bool is_gradient_finite)> arrived) {
  const tensors::ObserverDisabledGuard guard;
  const Products products = products_of(gradient, error);
  tensors::numbers_later({products.sum, products.length, largest_of(gradient), largest_of(error)}, results,
                         [arrived = std::move(arrived)](std::span<const double> found) {
                           const double sum = found[3] != 0 ? found[0] : 0.0;
                           arrived({sum, found[1] * found[1]}, std::isfinite(found[2]));
                         });
}

void square_of_products_later(const at::Tensor& gradient, const at::Tensor& roundings, tensors::DeviceResults& results,
                              std::function<void(double square)> arrived) {
  const tensors::ObserverDisabledGuard guard;
  tensors::numbers_later(
      {norm_of_products(gradient, roundings)}, results,
      [arrived = std::move(arrived)](std::span<const double> found) { arrived(found[0] * found[0]); });
}

}  // namespace ampprof::impact
