// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

#include "profiler/loss/loss_factor.h"

namespace ampprof::profiler {

struct CallContext;

/// A one-element tensor that requires grad, and the factor by which a call multiplies it.
struct MultipliedValue {
  at::Tensor operand;  ///< has one element, in plain memory
  LossFactor factor;   ///< factor without grad; for a division, the reciprocal of the divisor
};

/// Returns the tensor that a call multiplies or divides by a number, with the factor; empty for any other call. Call it
/// before the op runs.
std::optional<MultipliedValue> multiplied_value_of(const CallContext& call);

/// Returns the number by which a call multiplies its first argument, or the reciprocal of the number by which it
/// divides it; empty for any other call.
std::optional<double> multiplier_of(const CallContext& call);

}  // namespace ampprof::profiler
