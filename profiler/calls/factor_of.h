// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

#include "profiler/loss/loss_factor.h"

namespace ampprof::profiler {

struct CallContext;

/// One value that has a gradient, and what it is multiplied by.
struct MultipliedValue {
  at::Tensor operand;  ///< of one element, in plain memory
  LossFactor factor;   ///< has no gradient; 1 / the number that a call divides by
};

/// Returns what a call multiplies, or divides by a number; nothing for any other call. To be asked before the call
/// runs.
std::optional<MultipliedValue> multiplied_value_of(const CallContext& call);

/// Returns the number that a call multiplies its first argument by, or 1 / the number that it divides it by; nothing
/// for any other call.
std::optional<double> multiplier_of(const CallContext& call);

}  // namespace ampprof::profiler
