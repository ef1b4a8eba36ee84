// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <utility>

#include "precision/error/kernels.h"

namespace ampprof::tensors {

/// An output and its reference in the form that kernels read. Owns the memory to which elements() points.
struct ContiguousPair {
  at::Tensor output;     ///< undefined if the output cannot be measured
  at::Tensor reference;  ///< Float or Double; undefined if there is none
};

/// Returns both tensors on the output's device, contiguous, in the same order, in a type that the kernels support and
/// with negation resolved. Copies tensors only if needed. Ignores a reference of another shape.
ContiguousPair as_contiguous_pair(const at::Tensor& output, const at::Tensor& reference);

/// Returns whether both tensors are dense (without gaps) and have the same strides.
bool are_dense_alike(const at::Tensor& a, const at::Tensor& b);

/// Returns two measurable tensors of one shape with their elements in the same order, in types that the kernels support
/// and with negation resolved. Copies only if needed.
std::pair<at::Tensor, at::Tensor> in_one_order(const at::Tensor& a, const at::Tensor& b);

/// Returns the elements of a contiguous or dense tensor; no data if it is undefined.
error::Elements elements(const at::Tensor& tensor);

}  // namespace ampprof::tensors
