// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

namespace ampprof::profiler {

/// Returns the sample of a tensor as if it were expanded to `sizes` (precision/drift/sample.h), or one value for a
/// one-element tensor. Converts integers and booleans, too. Empty if the tensor cannot be read or expanded, or is on a
/// GPU.
std::optional<std::vector<double>> read_sample(const at::Tensor& tensor, at::IntArrayRef sizes);

}  // namespace ampprof::profiler
