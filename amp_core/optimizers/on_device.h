// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

/// Updates of many tensors that a flag on the device calls off: where `found_inf`, one FP32 element, is 1, nothing is
/// written, so a NaN in the other operands cannot leak. Lists are of one device and type, with equal strides place by
/// place.
namespace amp {

using FoundInf = std::optional<at::Tensor>;

/// parameters *= 1 - amount
void decay_unless(const FoundInf& found_inf, at::TensorList parameters, double amount);

/// parameters -= updates
void subtract_unless(const FoundInf& found_inf, at::TensorList parameters, at::TensorList updates);

/// averages = decay * averages + weight * values
void average_unless(const FoundInf& found_inf, at::TensorList averages, at::TensorList values, double decay,
                    double weight);

}  // namespace amp
