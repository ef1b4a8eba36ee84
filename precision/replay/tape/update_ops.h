// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <optional>

namespace ampprof::tape {

/// Runs ops without a derivative as ops with one: optimizers' kernels (`_fused_sgd_`, `_fused_adam_`, `_fused_adamw_`),
/// the unscaling of a GradScaler, and ops that write into `out`. Leaves the op's results on `stack`. Returns false,
/// without effect, for other ops.
bool run_differentiable(const c10::OperatorHandle& op, torch::jit::Stack& stack);

/// Returns whether an op writes to an argument, by its schema.
bool writes(const c10::OperatorHandle& op);

/// Returns the op that returns what this one writes into its first argument, and writes nothing: `mul` for `mul_`.
/// Empty if no such op has a derivative, and for ops of run_differentiable().
std::optional<c10::OperatorHandle> twin_without_writing(const c10::OperatorHandle& op);

}  // namespace ampprof::tape
