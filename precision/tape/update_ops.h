// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace ampprof::tape {

/// Optimizers' kernels that have no derivative of their own: `_fused_sgd_`, `_fused_adam_`, `_fused_adamw_` and the
/// unscaling of a GradScaler. Runs the same in ops that do, in place on the arguments of `stack`, which it leaves
/// empty. Returns false for any other op.
bool run_differentiable(const c10::OperatorHandle& op, torch::jit::Stack& stack);

}  // namespace ampprof::tape
