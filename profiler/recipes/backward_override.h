// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/replay/reference/arithmetic.h"

namespace ampprof::profiler {

// Computes gradients of the recipe's own forward where a backward op reads what the run's forward kept. A max pooling
// keeps the places of maxima, which are integers and the run's. Attention in one kernel keeps its output: the replay's
// is the recipe's, and not the output that the backward expects of query and key.

/// Returns whether override_backward() has gradients for calls of this op.
bool overrides_backward(const c10::OperatorHandle& op);

/// Replaces the exact results by these gradients.
void override_backward(const reference::ReplayedCall& call, std::vector<at::Tensor>& outputs);

}  // namespace ampprof::profiler
