// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <string_view>

namespace ampprof::tensors {

/// Returns the kind of tensor that `tensor` is where its values do not lie in strided memory of its own: "fake",
/// "nested" …, a word for people. Empty for any other tensor, an undefined one included.
///
/// Reads key sets alone: of such a tensor even sizes and layout may be answered by Python, with effects of its own.
std::string_view kind_of_wrapper(const at::Tensor& tensor);

/// Returns whether the values of `tensor` can be read where its strides say: kind_of_wrapper() is empty, its layout is
/// strided, and its memory is there (FSDP frees that of parameters between uses). False for an undefined tensor.
bool has_plain_memory(const at::Tensor& tensor);

/// Returns whether the elements of `tensor` are floating-point numbers that can be read there.
bool is_measurable(const at::Tensor& tensor);

}  // namespace ampprof::tensors
