// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "reports/records/sketch.h"

namespace ampprof::tensors {

/// Returns the sketch of the outputs of a call, in their order; empty where one of them cannot be read: on a device, or
/// no plain memory. Whole and complex numbers leave their size and their bits alone. Any strides: elements are numbered
/// as if they lay in memory in order. Nothing that the program can see changes.
std::optional<Sketch> sketch_of(const std::vector<at::Tensor>& outputs);

/// Returns the checksum of the bits of a tensor in CPU memory; that of no bits where it is elsewhere, or not plain
/// memory.
std::uint64_t checksum_of(const at::Tensor& tensor);

}  // namespace ampprof::tensors
