// SPDX-License-Identifier: Apache-2.0
// What a call is a part of: its phase and its module.

#include <ATen/SequenceNumber.h>
#include <torch/types.h>

#include <cmath>
#include <string>
#include <utility>

#include "amp_core/torch_hooks/recompute.h"
#include "profiler/calls/call.h"
#include "profiler/observer/session.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

std::uint64_t number_of_node(std::uint64_t sequence_number, std::uint64_t thread) {
  return sequence_number ^ thread << 48;
}

/// Gradients are recorded for the program: outside of backward, or where a checkpoint computes again.
bool records_forward() { return c10::GradMode::is_enabled() && (!inside_backward() || amp::recomputes_forward()); }

Phase phase_inside_optimizer(const ThreadState::OptimizerStep& step) {
  const bool in_closure = step.kind == OptimizerStepKind::CallsClosure && c10::GradMode::is_enabled();
  return in_closure ? Phase::Forward : Phase::Optimizer;
}

}  // namespace

/// A custom function makes its node first, then switches gradients off for its forward. So where they are off, and were
/// on when the last op call ended, a node that no op call made says that such a forward runs. It has ended where they
/// are on again, or where its outputs get their node (custom_function_ended()).
void Session::notice_custom_function(ThreadState& thread) {
  if (thread.function.is_open) {
    if (records_forward()) thread.function = {};
    return;
  }
  const ThreadState::Autograd& before = thread.autograd;
  const void* node = current_node();
  if (c10::GradMode::is_enabled() || !before.records || before.node != node) return;
  const std::uint64_t next_node = at::sequence_number::peek();
  if (next_node <= before.next_node) return;
  thread.function = {.is_open = true, .node = node, .number = number_of_node(before.next_node, forward_thread())};
  const std::int32_t module = thread.scopes.empty() ? kUnknownModule : thread.scopes.back().name;
  links_.link(before.next_node, next_node, forward_thread(), module);
}

void Session::leave_call(ThreadState& thread) {
  thread.autograd = {.next_node = at::sequence_number::peek(), .records = records_forward(), .node = current_node()};
}

/// The k-th call that a function makes again is the k-th that it made. What its first run added to the loss impact is
/// part of what this one adds.
std::optional<std::int64_t> Session::site_of_first_run(const BareCall& call) {
  const auto found = functions_.find(number_of_node(backward_sequence_number(), backward_forward_thread()));
  if (found == functions_.end()) return std::nullopt;
  auto& [calls, next] = found->second;
  if (next == 0) impacts_.drop(found->first);
  while (next < calls.size() && calls[next].first != call.info.id) ++next;
  return next < calls.size() ? std::optional(calls[next++].second) : std::nullopt;
}

Phase Session::phase_of(const BareCall& call) const {
  const ThreadState& thread = call.thread;
  const void* node = current_node();
  if (call.info.unscales || call.info.updates_scale) return Phase::Optimizer;
  // One that is called from a hook of backward is in that node; a closure's backward is in another.
  const bool in_optimizer = !thread.optimizer_steps.empty() && thread.optimizer_steps.back().node == node;
  if (in_optimizer) return phase_inside_optimizer(thread.optimizer_steps.back());
  const bool in_function = thread.function.is_open && thread.function.node == node;
  if (node != nullptr) return in_function || amp::recomputes_forward() ? Phase::Recompute : Phase::Backward;
  if (in_function || c10::GradMode::is_enabled()) return Phase::Forward;
  // Between backward and update: clipping, unscaling, or an optimizer of the program's own.
  if (thread.awaits_update && thread.scopes.empty()) return Phase::Optimizer;
  return Phase::Inference;
}

void Session::compiled_begun() {
  ThreadState& thread = ThreadState::current();
  if (thread.compiled_begun_ns >= 0) return;
  thread.compiled_begun_ns = now_ns();
  thread.seen_before_compiled_ns = thread.seen_ns;
}

void Session::compiled_ended() {
  ThreadState& thread = ThreadState::current();
  const std::int64_t begun_ns = std::exchange(thread.compiled_begun_ns, -1);
  if (begun_ns < 0) return;
  const auto lock = locked();
  ++compiled_graphs_;
  unseen_ns_ += (now_ns() - begun_ns) - (thread.seen_ns - thread.seen_before_compiled_ns);
}

void Session::note_compiled_graphs() {
  if (compiled_graphs_ == 0) return;
  const double share = steps_ns_ > 0 ? static_cast<double>(unseen_ns_) / static_cast<double>(steps_ns_) : 0.0;
  Missing missing{.what = "ops inside torch.compile",
                  .count = compiled_graphs_,
                  .cause = "compiled graphs took " + std::to_string(std::lround(100 * share)) +
                           "% of the steps' time in forward, outside of op calls",
                  .remedy = "TORCH_COMPILE_DISABLE=1 runs the program uncompiled, with all of its ops"};
  recorder_.add([&](Batch& batch) { batch.missing.push_back(std::move(missing)); });
}

std::int32_t Session::module_of(const BareCall& call) {
  const auto& scopes = call.thread.scopes;
  const auto module_of_node = [&] {
    return links_.module_of(backward_sequence_number(), backward_forward_thread()).value_or(kUnknownModule);
  };
  if (call.phase == Phase::Recompute && scopes.empty()) {
    const std::int32_t module = module_around(call.arguments(), kUnknownModule);
    return module != kUnknownModule ? module : module_of_node();
  }
  if (call.phase == Phase::Backward) {
    if (const auto* parameter = accumulated_parameter()) {
      const std::string* name = module_names_.name_of(parameter);
      return name == nullptr ? kUnknownModule : names_.id_of(module_of_parameter(*name));
    }
    return module_of_node();
  }
  const bool in_scope = call.phase != Phase::Optimizer && !scopes.empty();
  return module_around(call.arguments(), in_scope ? scopes.back().name : kUnknownModule);
}

}  // namespace ampprof::profiler
