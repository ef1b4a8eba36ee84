// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <optional>

namespace ampprof::tape {

/// Replaces ops without a derivative with ops that have one. Handles fused optimizers (`_fused_sgd_`, `_fused_adam_`,
/// `_fused_adamw_`), the unscaling in a GradScaler, and ops that write into `out`. Leaves the op's results on `stack`.
/// Returns false, without effect, for other ops.
bool run_differentiable(const c10::OperatorHandle& op, torch::jit::Stack& stack);

/// Returns whether the schema marks an argument of the op as written.
bool writes(const c10::OperatorHandle& op);

/// Returns the op that computes what this op writes into its first argument, without writing it: `mul` for `mul_`.
/// Empty if no such op has a derivative, and for ops of run_differentiable().
std::optional<c10::OperatorHandle> twin_without_writing(const c10::OperatorHandle& op);

}  // namespace ampprof::tape
