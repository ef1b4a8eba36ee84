// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstdint>

namespace ampprof::tape {

/// Runs an op that has no formula for tangents, and sets the tangents of its results at this dual level. These tangents
/// are a central difference of the op along the tangents of its operands, in FP64.
void run_with_quotient(const c10::OperatorHandle& op, torch::jit::Stack& stack, std::int64_t level);

}  // namespace ampprof::tape
