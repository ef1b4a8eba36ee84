// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/call_phase.h"

#include <torch/types.h>

#include <algorithm>

#include "amp_core/torch_hooks/recompute.h"
#include "profiler/calls/call.h"
#include "profiler/scopes/backward_links.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

constexpr std::int32_t kUnknownModule = 0;

std::uint64_t number_of_node(std::uint64_t sequence_number, std::uint64_t thread) {
  return sequence_number ^ thread << 48;
}

/// Returns whether autograd records the graph of a forward: outside of backward, or while a checkpoint recomputes.
bool records_forward() { return c10::GradMode::is_enabled() && (!inside_backward() || amp::recomputes_forward()); }

bool is_in_module_call(const ThreadState& thread) {
  return std::ranges::any_of(thread.scopes, &ThreadState::Scope::is_call);
}

std::int32_t module_around(const ThreadState& thread) {
  return thread.scopes.empty() ? kUnknownModule : thread.scopes.back().name;
}

Phase phase_inside_optimizer(const ThreadState::OptimizerStep& step) {
  const bool in_closure = step.kind == preload::OptimizerStepKind::CallsClosure && c10::GradMode::is_enabled();
  return in_closure ? Phase::Forward : Phase::Optimizer;
}

}  // namespace

Phase phase_of(const CallContext& call) {
  const ThreadState& thread = call.thread;
  const void* node = current_node();
  if (call.info.unscales || call.info.updates_scale) return Phase::Optimizer;
  // An optimizer that a backward hook calls runs in the hook's node. The backward pass that its closure runs is in
  // other nodes.
  const bool in_optimizer = !thread.optimizer_steps.empty() && thread.optimizer_steps.back().node == node;
  if (in_optimizer) return phase_inside_optimizer(thread.optimizer_steps.back());
  const bool in_function = thread.function.is_open && thread.function.node == node;
  if (node != nullptr) return in_function || amp::recomputes_forward() ? Phase::Recompute : Phase::Backward;
  if (in_function || c10::GradMode::is_enabled()) return Phase::Forward;
  // Between backward and update: clipping, unscaling, or a hand-written optimizer.
  if (thread.awaits_update && !is_in_module_call(thread)) return Phase::Optimizer;
  return Phase::Inference;
}

void notice_custom_function(ThreadState& thread, BackwardLinks& links) {
  if (thread.function.is_open) {
    if (records_forward()) thread.function = {};
    return;
  }
  const ThreadState::Autograd& before = thread.autograd;
  const void* node = current_node();
  if (c10::GradMode::is_enabled() || !before.records || before.node != node) return;
  const std::uint64_t next_node = next_sequence_number();
  if (next_node <= before.next_node) return;
  thread.function = {.is_open = true,
                     .node = node,
                     .number = number_of_node(before.next_node, forward_thread()),
                     .first_node = before.next_node,
                     .last_node_excluded = next_node};
  links.link(before.next_node, next_node, forward_thread(), {.module = module_around(thread)});
}

void link_custom_function(const ThreadState& thread, std::int64_t call_site, BackwardLinks& links) {
  const auto& [is_open, node, number, first_node, last_node_excluded, calls] = thread.function;
  if (!is_open || calls.size() != 1) return;
  links.link(first_node, last_node_excluded, forward_thread(),
             {.module = module_around(thread), .call_site = call_site});
}

std::uint64_t number_of_running_function() {
  return number_of_node(backward_sequence_number(), backward_forward_thread());
}

void leave_call(ThreadState& thread) {
  thread.autograd = {.next_node = next_sequence_number(), .records = records_forward(), .node = current_node()};
}

}  // namespace ampprof::profiler
