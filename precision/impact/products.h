// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include "precision/impact/gradient.h"

namespace ampprof::impact {

/// Sums over the element-wise products of a gradient and an error. Each is one FP64 element on the device of the two
/// tensors.
struct Products {
  at::Tensor sum;
  at::Tensor length;  ///< root of the sum of the squared products
};

// Each function takes a gradient and a tensor of the gradient's shape, of any floating types, strides and device. On
// the CPU it makes one pass without extra memory. The result is NaN or inf if an element is NaN or inf.

Products products_of(const Gradient& gradient, const at::Tensor& error);
at::Tensor sum_of_products(const Gradient& gradient, const at::Tensor& error);
at::Tensor norm_of_products(const Gradient& gradient, const at::Tensor& roundings);

}  // namespace ampprof::impact
