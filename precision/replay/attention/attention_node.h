// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace ampprof::attention {

/// Runs a forward of is_half_attention() in high precision, with one node behind its output as the kernel
/// has: the gradients of query, key and value are its first three outputs.
void run_with_attention_node(const c10::OperatorHandle& op, torch::jit::Stack& stack);

}  // namespace ampprof::attention
