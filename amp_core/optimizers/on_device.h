// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

/// Updates of many tensors that a flag on the device can skip: if `found_inf`, one FP32 element, is 1, nothing is
/// written, so a NaN in the other operands cannot leak. Lists have one device and type, and equal strides at each
/// index.
namespace amp {

using FoundInf = std::optional<at::Tensor>;

/// Computes parameters *= 1 - amount.
void decay_unless(const FoundInf& found_inf, at::TensorList parameters, double amount);

/// Computes parameters -= updates.
void subtract_unless(const FoundInf& found_inf, at::TensorList parameters, at::TensorList updates);

/// Computes averages = decay * averages + weight * values.
void average_unless(const FoundInf& found_inf, at::TensorList averages, at::TensorList values, double decay,
                    double weight);

}  // namespace amp
