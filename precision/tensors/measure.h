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
/// plain memory. Has no effect that the program can observe. Errors are in ulp of the output's type, or of `spacing` if
/// the output holds values of a narrower type.
error::OutputStatistics measure(const at::Tensor& output, const at::Tensor& reference,
                                std::optional<error::Spacing> spacing = std::nullopt);

/// Returns whether the output contains neither NaN nor inf; faster than measure(). Copies the output if it is on a
/// device.
bool is_finite(const at::Tensor& output);

}  // namespace ampprof::tensors
