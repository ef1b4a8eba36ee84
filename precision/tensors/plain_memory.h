// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <string_view>

namespace ampprof::tensors {

/// Returns the kind of a tensor whose values are not in its own strided memory, as a word for users: "fake", "nested"
/// …. Empty for other tensors and for an undefined one.
///
/// Reads only dispatch key sets: a wrapper may compute even sizes and layout in Python, with side effects.
std::string_view kind_of_wrapper(const at::Tensor& tensor);

/// Returns whether the values of `tensor` can be read through its strides: kind_of_wrapper() is empty, the layout is
/// strided, and the storage is allocated (FSDP frees the storage of parameters between uses). False for an undefined
/// tensor.
bool has_plain_memory(const at::Tensor& tensor);

/// Returns whether `tensor` has floating-point elements and plain memory.
bool is_measurable(const at::Tensor& tensor);

}  // namespace ampprof::tensors
