// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <utility>

#include "precision/error/kernels.h"

namespace ampprof::tensors {

/// An output and its reference in the form that the kernels take. Owns the memory that elements() points into.
struct ContiguousPair {
  at::Tensor output;     ///< undefined if there is nothing to measure
  at::Tensor reference;  ///< Float or Double; undefined without one
};

/// Returns both on the output's device, contiguous, in the same order, in a type that the kernels know and without
/// pending negation. Copies tensors only if needed. Ignores a reference of another shape.
ContiguousPair as_contiguous_pair(const at::Tensor& output, const at::Tensor& reference);

/// Returns whether both store their elements in the same order, whatever it is, without gaps.
bool are_dense_alike(const at::Tensor& a, const at::Tensor& b);

/// Returns two measurable tensors of one shape with their elements in the same order, in types that the kernels know
/// and without pending negation. Copies only if needed.
std::pair<at::Tensor, at::Tensor> in_one_order(const at::Tensor& a, const at::Tensor& b);

/// Returns the values of such a tensor; no data for an undefined one.
error::Elements elements(const at::Tensor& tensor);

}  // namespace ampprof::tensors
