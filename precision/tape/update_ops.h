// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace ampprof::tape {

/// Runs ops that have no derivative in ops that have: optimizers' kernels (`_fused_sgd_`, `_fused_adam_`,
/// `_fused_adamw_`), the unscaling of a GradScaler, and what writes into `out`. Leaves on `stack` what the op returns.
/// Returns false, and does nothing, for any other op.
bool run_differentiable(const c10::OperatorHandle& op, torch::jit::Stack& stack);

}  // namespace ampprof::tape
