// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/replay/reference/arithmetic.h"

namespace ampprof::profiler {

// Computes gradients anew for backward ops whose saved tensors do not fit the replay. Max pooling saves the indices of
// its maxima, and a replay would take these integers from the program. Fused attention saves its output. In the replay
// this is the recipe's output, but the backward expects the exact output for query and key.

/// Returns whether override_backward() handles calls of this op.
bool overrides_backward(const c10::OperatorHandle& op);

/// Replaces `outputs` with gradients of the replay's own forward.
void override_backward(const reference::ReplayedCall& call, std::vector<at::Tensor>& outputs);

}  // namespace ampprof::profiler
