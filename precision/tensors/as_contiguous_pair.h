// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <utility>

#include "precision/error/kernels.h"

namespace ampprof::tensors {

/// An output and its reference as the kernels want them. They own the memory that elements() points into.
struct ContiguousPair {
  at::Tensor output;     ///< undefined where there is nothing to measure
  at::Tensor reference;  ///< Float or Double; undefined without one
};

/// On the output's device, element after element, in the same order, in a type that the kernels know, without pending
/// negation. Tensors are copied only where they are not so already. A reference of another shape is none.
ContiguousPair as_contiguous_pair(const at::Tensor& output, const at::Tensor& reference);

/// Returns whether both hold their elements in the same order, whatever that is, with no gaps.
bool are_dense_alike(const at::Tensor& a, const at::Tensor& b);

/// Returns two measurable tensors of one shape, element after element in the same order, in types that the kernels
/// know, without pending negation; copied only where they are not so already.
std::pair<at::Tensor, at::Tensor> in_one_order(const at::Tensor& a, const at::Tensor& b);

/// The values of a tensor that one of these returned; no data for an undefined one.
error::Elements elements(const at::Tensor& tensor);

}  // namespace ampprof::tensors
