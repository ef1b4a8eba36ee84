// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include "precision/impact/gradient.h"

namespace ampprof::impact {

/// Holds sums over the products of a gradient and an error: one element in FP64 each, where they are.
struct Products {
  at::Tensor sum;
  at::Tensor length;  ///< the root of the sum of their squares
};

// A gradient and a tensor of its shape, any floating types, strides and device; on the CPU in one pass that needs no
// memory. NaN or inf where an element is.

Products products_of(const Gradient& gradient, const at::Tensor& error);
at::Tensor sum_of_products(const Gradient& gradient, const at::Tensor& error);
at::Tensor norm_of_products(const Gradient& gradient, const at::Tensor& roundings);

}  // namespace ampprof::impact
