// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

#include "precision/impact/gradient.h"
#include "precision/tensors/deferred_reductions.h"

namespace ampprof::impact {

/// Returns `low` - `high` in BF16, to be stored until the gradient arrives. The relative error of 2^-9 per element
/// averages out in the sum, and BF16 has the exponent range for errors of any size. Shape and memory order are those of
/// `low`. The difference is not finite where `low` or `high` is not, but 0 where both are the same infinity.
at::Tensor difference(const at::Tensor& low, const at::Tensor& high);

/// Returns the sum of products of a gradient and a tensor of its shape, accumulated in double. NaN or inf if an element
/// is NaN or inf, but 0 if the whole error is 0, whatever the gradient. Takes any floating types, strides and device.
double inner_product(const Gradient& gradient, const at::Tensor& error);

/// Results of inner_product() and square_of_products() for one error.
struct ErrorProducts {
  double sum = 0.0;
  double square = 0.0;
};
/// Computes inner_product() and square_of_products() in one pass.
ErrorProducts products_with_square(const Gradient& gradient, const at::Tensor& error);

/// Returns the sum of the squared products: the expected square of the effect of independent rounding errors on the
/// loss. Not finite if an element is not finite.
double square_of_products(const Gradient& gradient, const at::Tensor& roundings);

/// Returns the error of rounding a tensor to a smaller type: difference() of the rounded and the given tensor.
at::Tensor rounding_to(const at::Tensor& tensor, at::ScalarType type);

/// Returns the expected rounding error of each element of an FP16 or BF16 tensor: 1 / sqrt(12) of the element's
/// spacing. The sign is meaningless. The result is BF16 with the sizes and strides of `rounded`.
at::Tensor expected_rounding(const at::Tensor& rounded);

/// Returns whether every element is finite.
bool is_finite(const Gradient& gradient);

/// Computes inner_product() and is_finite() of the gradient on the device of the two tensors, without waiting.
/// `results.complete()` calls `arrived` with the results.
void inner_product_later(const Gradient& gradient, const at::Tensor& error, tensors::DeferredReductions& results,
                         std::function<void(double product, bool is_gradient_finite)> arrived);
/// Computes products_with_square() and is_finite() on the device, like inner_product_later().
void products_with_square_later(const Gradient& gradient, const at::Tensor& error, tensors::DeferredReductions& results,
                                std::function<void(ErrorProducts products, bool is_gradient_finite)> arrived);
/// Computes square_of_products() on the device, like inner_product_later().
void square_of_products_later(const Gradient& gradient, const at::Tensor& roundings,
                              tensors::DeferredReductions& results, std::function<void(double square)> arrived);

}  // namespace ampprof::impact
