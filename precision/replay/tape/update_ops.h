// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <optional>

namespace ampprof::tape {

/// Runs ops that have no derivative in ops that have: optimizers' kernels (`_fused_sgd_`, `_fused_adam_`,
/// `_fused_adamw_`), the unscaling of a GradScaler, and what writes into `out`. Leaves on `stack` what the op returns.
/// Returns false, and does nothing, for any other op.
bool run_differentiable(const c10::OperatorHandle& op, torch::jit::Stack& stack);

/// Returns whether an op writes to an argument, as its schema says.
bool writes(const c10::OperatorHandle& op);

/// Returns the op that returns what this one writes into its first argument, and writes nothing: `mul` of `mul_`. Empty
/// where there is none that has a derivative, and of what run_differentiable() runs.
std::optional<c10::OperatorHandle> twin_without_writing(const c10::OperatorHandle& op);

}  // namespace ampprof::tape
