// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/step_events.h"

#include <utility>

#include "profiler/calls/thread_state.h"
#include "profiler/gradient_impact/gradient_replays.h"
#include "profiler/observer/parameter_checks.h"
#include "profiler/observer/pending.h"
#include "profiler/observer/segments.h"
#include "profiler/observer/session_core.h"
#include "profiler/observer/stop_at_nonfinite.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {

void StepEvents::optimizer_begun(preload::OptimizerStepKind kind) {
  ThreadState::current().optimizer_steps.push_back(
      {.kind = kind, .node = current_node(), .number = optimizer_calls_.fetch_add(1, std::memory_order_relaxed) + 1});
  if (core_.options.check_ranks > 0) check_first_parameters(core_, core_.lock());
}

void StepEvents::optimizer_ended(const void* optimizer, bool skipped) {
  ThreadState& thread = ThreadState::current();
  auto& steps = thread.optimizer_steps;
  if (steps.empty()) return;
  const Segments::Leaves leaves = std::move(steps.back().leaves);
  steps.pop_back();
  if (!steps.empty()) {  // the AMP engine's step() calls the optimizer's step() of LibTorch
    steps.back().leaves.insert(steps.back().leaves.end(), leaves.begin(), leaves.end());
    return;
  }
  end_update(core_.lock(), thread, optimizer, leaves, skipped);
  if (skipped) return;
  if (core_.gradient_replays != nullptr) core_.gradient_replays->optimizer_ended();
  if (core_.options.stop_on == recording::kNonfiniteUpdate) stop_at_nonfinite(core_, leaves);
}

void StepEvents::backward_begins() {
  ThreadState& thread = ThreadState::current();
  if (inside_backward() || !thread.optimizer_steps.empty()) return;
  const Locked state = core_.lock();
  TrainingLoop& loop = state->loops.of(thread);
  HeldAround& held = loop.steps.held();
  if (!held.is_open() || !held.after().has_graph()) return;
  held.after().use_graph();
  segments_.finish(state, loop, loop.steps.forward_op(core_.clock.now_ns()));
}

void StepEvents::end_update(const Locked& state, ThreadState& thread, const void* optimizer,
                            const std::vector<const void*>& leaves, bool skipped) {
  segments_.updated(state, thread, optimizer, leaves, skipped);
  TrainingLoop& loop = state->loops.of(thread);
  if (loop.steps.is_step_over()) segments_.restart_replays(loop);
  if (!skipped) check_parameters(core_, state, loop.steps.current(), leaves);
  state->is_complete_after_backward ? complete_arrived(core_, state) : complete_pending(core_, state);
  state->is_complete_after_update = loop.steps.is_step_over();
  core_.trace.gradients.clear();
  if (loop.steps.is_step_over()) core_.trace.updated();
}

void StepEvents::step_ended() {
  const Locked state = core_.lock();
  TrainingLoop& loop = state->loops.of(ThreadState::current());
  segments_.finish(state, loop, loop.steps.step_ended(core_.clock.now_ns()));
}

}  // namespace ampprof::profiler
