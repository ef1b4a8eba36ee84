// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

#include "precision/impact/gradient.h"
#include "precision/tensors/deferred_reductions.h"

namespace ampprof::impact {

/// `low` - `high`, to be kept until a gradient arrives: BF16, since a relative error of 2^-9 in each element vanishes
/// in the sum over all, and since no error is too large or too small for its exponent. Same shape and order as `low`.
/// Where `low` or `high` is not finite, so is the difference; only the same infinity in both is no error.
at::Tensor difference(const at::Tensor& low, const at::Tensor& high);

/// Sum of products of a gradient and a tensor of its shape, accumulated in double; NaN or inf where an element is, but
/// 0 of no error, whatever the gradient. Any floating types, strides and device.
double inner_product(const Gradient& gradient, const at::Tensor& error);

/// Holds inner_product() and square_of_products() of one error.
struct ErrorProducts {
  double sum = 0.0;
  double square = 0.0;
};
/// Finds both at once.
ErrorProducts products_with_square(const Gradient& gradient, const at::Tensor& error);

/// Returns the sum of the squares of the products: what independent roundings are expected to do to the loss, squared.
/// Not finite where an element is not.
double square_of_products(const Gradient& gradient, const at::Tensor& roundings);

/// Returns what rounding a tensor to a smaller type changes, as difference() keeps it.
at::Tensor rounding_to(const at::Tensor& tensor, at::ScalarType type);

/// Returns how far each element of FP16 or BF16 is from what was rounded to it, expected: 1 / sqrt(12) of its spacing,
/// with a sign that means nothing. BF16, and of the sizes and strides of `rounded`.
at::Tensor expected_rounding(const at::Tensor& rounded);

/// Whether every element is finite.
bool is_finite(const Gradient& gradient);

/// Finds inner_product() of both and is_finite() of the gradient where they are, which is one device, but later:
/// `arrived` gets both from `results.complete()`.
void inner_product_later(const Gradient& gradient, const at::Tensor& error, tensors::DeferredReductions& results,
                         std::function<void(double product, bool is_gradient_finite)> arrived);
/// Finds products_with_square() likewise, and is_finite().
void products_with_square_later(const Gradient& gradient, const at::Tensor& error, tensors::DeferredReductions& results,
                                std::function<void(ErrorProducts products, bool is_gradient_finite)> arrived);
/// Finds square_of_products() likewise.
void square_of_products_later(const Gradient& gradient, const at::Tensor& roundings,
                              tensors::DeferredReductions& results, std::function<void(double square)> arrived);

}  // namespace ampprof::impact
