// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "precision/error/output_statistics.h"
#include "precision/formats/types/spacing.h"

namespace at {
class Tensor;
}

namespace ampprof::tensors {

/// Returns the statistics of one output as executed, compared with its reference if that is defined. Takes any floating
/// type, strides and device, and empty tensors. Returns empty statistics for an output that is not floating or not in
/// plain memory. Has no effect that the program can see. Errors are in ulp of the output's type, or of `spacing` if the
/// output holds values of a narrower type.
error::OutputStatistics measure(const at::Tensor& output, const at::Tensor& reference,
                                std::optional<error::Spacing> spacing = std::nullopt);

/// Returns whether measure() would find neither NaN nor inf, but faster. Copies tensors from a device.
bool is_finite(const at::Tensor& output);

}  // namespace ampprof::tensors
