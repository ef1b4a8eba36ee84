// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "precision/error/output_statistics.h"
#include "precision/formats/types/spacing.h"

namespace at {
class Tensor;
}

namespace ampprof::tensors {

/// Statistics of one output as executed, against its reference where that is defined. Any floating type, any strides,
/// any device, no elements too. An output that is not floating, or not plain memory, gives empty statistics. Nothing
/// that the program can see changes. Errors are in ulp of the output's type, or of `spacing` where the output holds
/// values of a narrower one.
error::OutputStatistics measure(const at::Tensor& output, const at::Tensor& reference,
                                std::optional<error::Spacing> spacing = std::nullopt);

/// Returns whether measure() would find no NaN and no inf, in less time. Copies what is on a device.
bool is_finite(const at::Tensor& output);

}  // namespace ampprof::tensors
