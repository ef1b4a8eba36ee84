// SPDX-License-Identifier: Apache-2.0
#include "amp_core/torch_hooks/autocast_keys.h"

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/jit/passes/autocast.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

namespace amp {

AutocastKeys autocast_keys_of_this_thread() {
  return {at::autocast::is_autocast_enabled(at::kCPU), at::autocast::is_autocast_enabled(at::kCUDA)};
}

void set_autocast_keys_of_this_thread(AutocastKeys keys) {
  at::autocast::set_autocast_enabled(at::kCPU, keys.cpu);
  at::autocast::set_autocast_enabled(at::kCUDA, keys.cuda);
}

// LibTorch counts nested autocast regions, but returns the count only from the functions that change it.
bool in_autocast_region() {
  const int inside = at::autocast::increment_nesting();
  at::autocast::decrement_nesting();
  return inside > 1;
}

// TorchScript reads the autocast keys, too, and would insert casts by its own lists, on the CPU to BF16. Its profiling
// executor differentiates graphs itself. The executor does not see the casts inside the ops of a graph, so a backward
// that it derives would multiply half gradients with FP32 weights.
void disable_torchscript_autocast() {
  torch::jit::setAutocastMode(false);
  torch::jit::getProfilingMode() = false;
}

// Cached, because threads may start during process exit, when LibTorch's context no longer exists.
AutocastKeys available_autocast_keys() {
  static const bool has_cuda = at::hasCUDA();
  return {true, has_cuda};
}

// Autograd excludes its dispatch keys while it calls an op's kernel.
bool in_kernel() {
  return c10::impl::tls_is_dispatch_key_excluded(c10::DispatchKey::AutogradFunctionality) &&
         !c10::InferenceMode::is_enabled();
}

bool in_backward() { return torch::autograd::get_current_node() != nullptr; }

}  // namespace amp
