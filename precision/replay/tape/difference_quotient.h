// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstdint>

namespace ampprof::tape {

/// Runs an op that has no formula for tangents, and gives its results their tangents at this dual level: the derivative
/// along the operands' tangents as a central difference of the op alone, in FP64.
void run_with_quotient(const c10::OperatorHandle& op, torch::jit::Stack& stack, std::int64_t level);

}  // namespace ampprof::tape
