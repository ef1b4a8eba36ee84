// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "reports/records/sketch.h"

namespace ampprof::tensors {

/// Returns the sketch of a CPU tensor for which has_sums() is true. Its first element has index `start` among all
/// elements of the call's outputs. Takes any strides: elements are numbered in logical order. Has no effect that the
/// program can observe.
Sketch sketch_of(const at::Tensor& output, std::uint64_t start);

/// Returns whether the tensor has values to sum. Integer and complex tensors have only a size and a checksum.
bool has_sums(const at::Tensor& output);

/// Returns the checksum of the bits of a CPU tensor; that of an empty tensor for other devices and for memory that is
/// not plain.
std::uint64_t checksum_of(const at::Tensor& tensor);

/// Returns the tensor, or a copy, with its elements in logical order in memory.
at::Tensor in_order(const at::Tensor& tensor);

/// Returns the index of each output's first element among all elements of a call's outputs. Each output begins a new
/// block of the sketch.
std::vector<std::uint64_t> places_of(const std::vector<at::Tensor>& outputs);

}  // namespace ampprof::tensors
