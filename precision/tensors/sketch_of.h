// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "reports/records/sketch.h"

namespace ampprof::tensors {

/// Returns the sketch of a tensor in CPU memory that has_sums(), whose first element is at place `start` among all of
/// the call's outputs. Any strides: elements are numbered as if they lay in memory in order. Nothing that the program
/// can see changes.
Sketch sketch_of(const at::Tensor& output, std::uint64_t start);

/// Returns whether it has values to sum; whole and complex numbers leave their size and their bits alone.
bool has_sums(const at::Tensor& output);

/// Returns the checksum of the bits of a tensor in CPU memory; that of no bits where it is elsewhere, or not plain
/// memory.
std::uint64_t checksum_of(const at::Tensor& tensor);

/// Returns the tensor, or a copy, whose elements lie in memory in order.
at::Tensor in_order(const at::Tensor& tensor);

/// Returns the places of the first elements of a call's outputs: blocks of a sketch begin with each.
std::vector<std::uint64_t> places_of(const std::vector<at::Tensor>& outputs);

}  // namespace ampprof::tensors
