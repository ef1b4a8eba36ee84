// SPDX-License-Identifier: Apache-2.0
#include "amp_core/torch_hooks/recompute.h"

#include <ATen/SavedTensorHooks.h>
#include <ATen/ThreadLocalState.h>
#include <c10/core/AutogradState.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/graph_task.h>

#include <cstddef>
#include <cstring>
#include <typeinfo>

#include "amp_core/torch_hooks/autocast_keys.h"

namespace amp {
namespace {

using torch::autograd::GraphTask;
using torch::autograd::Node;

thread_local const RecomputeScope* innermost = nullptr;

/// Modes in which a backward pass starts each node, before the node's own code changes them.
struct ModesOfPass {
  int pass = -1;
  bool records_gradients = false;  ///< the pass has create_graph
  std::size_t hooks = 0;           ///< number of hooks for saved tensors
};

std::size_t hooks_in_force() { return at::SavedTensorDefaultHooks::get_tls_state().stack.size(); }

/// Returns the backward pass that this thread runs, or null. Computed from the address of the pass's member
/// nodes_in_graph_, which is all that LibTorch exposes.
const GraphTask* current_pass() {
  const auto* const member = torch::autograd::get_current_graph_task_nodes_in_graph();
  if (member == nullptr) return nullptr;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
  constexpr std::size_t kOffset = offsetof(GraphTask, nodes_in_graph_);
#pragma GCC diagnostic pop
  return reinterpret_cast<const GraphTask*>(reinterpret_cast<const char*>(member) - kOffset);
}

/// Returns the modes of the current backward pass. Activates the pass's thread-local state for a moment, since the
/// fields of that state have no accessors.
const ModesOfPass& modes_of_pass() {
  thread_local ModesOfPass modes;
  const int pass = torch::autograd::get_current_graph_task_id();
  if (modes.pass == pass) return modes;
  modes = {.pass = pass};
  if (const GraphTask* task = current_pass()) {
    const at::ThreadLocalStateGuard as_nodes_begin(task->thread_locals_);
    modes.records_gradients = c10::GradMode::is_enabled();
    modes.hooks = hooks_in_force();
  }
  return modes;
}

/// Tells whether a node is a function written in Python. Compares the type's name, because PyNode is in
/// libtorch_python, which C++ programs lack.
bool is_python_function(const Node& node) { return std::strcmp(typeid(node).name(), "N5torch8autograd6PyNodeE") == 0; }

/// Tells whether a Python function's backward opened an autocast region. Around LibTorch's own nodes, only the caller
/// of backward can have opened a region.
bool asks_for_autocast(const Node& node) { return is_python_function(node) && in_autocast_region(); }

/// Tells whether the forward of a Python autograd function is running: only there does Python turn forward-mode
/// gradients off.
bool in_forward_of_python_function() { return !c10::AutogradState::get_tls_state().get_fw_grad_mode(); }

}  // namespace

BackwardPosition position_in_backward() {
  return {torch::autograd::get_current_graph_task_id(), torch::autograd::get_current_node().get()};
}

bool recomputes_forward() {
  const auto node = torch::autograd::get_current_node();
  if (node == nullptr) return false;
  if (innermost != nullptr && innermost->place_ == position_in_backward()) return true;
  if (c10::GradMode::is_enabled() && !modes_of_pass().records_gradients) return true;
  if (const std::size_t hooks = hooks_in_force(); hooks != 0 && hooks > modes_of_pass().hooks) return true;
  return in_forward_of_python_function() && asks_for_autocast(*node);
}

bool casts_apply_in_node() {
  if (recomputes_forward()) return true;
  const auto node = torch::autograd::get_current_node();
  return node != nullptr && asks_for_autocast(*node);
}

std::uint64_t thread_of_forward() {
  const auto node = torch::autograd::get_current_node();
  return node == nullptr ? 0 : node->thread_id();
}

RecomputeScope::RecomputeScope() : place_(position_in_backward()), outer_(innermost) {
  if (place_.node != nullptr) innermost = this;
}

RecomputeScope::~RecomputeScope() { innermost = outer_; }

}  // namespace amp
