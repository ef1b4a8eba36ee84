// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/replay/reference/arithmetic.h"

namespace ampprof::profiler {

// Gradients of the forward of a step in a recipe, where a backward op reads what the run's forward has kept: the maxima
// of a max pooling, which are integers and the run's, and what attention in one kernel gave, which is the recipe's and
// not what its backward expects of query and key.

/// Returns whether override_backward() has gradients for calls of this op.
bool overrides_backward(const c10::OperatorHandle& op);

/// Puts them in the place of the exact results.
void override_backward(const reference::ReplayedCall& call, std::vector<at::Tensor>& outputs);

}  // namespace ampprof::profiler
