// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/segments.h"

#include <torch/types.h>

#include <algorithm>
#include <utility>

#include "profiler/calls/call.h"
#include "profiler/calls/signatures.h"
#include "profiler/observer/backward_passes.h"
#include "profiler/observer/between_ops.h"
#include "profiler/observer/cast_change.h"
#include "profiler/observer/gradient_events.h"
#include "profiler/observer/parameter_checks.h"
#include "profiler/observer/pending.h"
#include "profiler/observer/session_core.h"
#include "profiler/torch_hooks/torch_state.h"
#include "reports/records/left_out.h"

namespace ampprof::profiler {
namespace {

Segments::Leaves leaves_in(const CallContext& call, const ArgumentsSeen& arguments) {
  Segments::Leaves leaves;
  if (arguments.written == nullptr || inside_backward()) return leaves;
  const GradientLeaves& known = call.place.loop->leaves;
  // `known` lacks leaves whose gradients are from autograd::grad().
  const bool writes_leaf = arguments.writes_leaf && !c10::GradMode::is_enabled();
  if (!writes_leaf && known.leaf_of(arguments.written) == nullptr) return leaves;
  for_each_tensor(call.arguments().slice(0, 1), [&](const at::Tensor& tensor) {
    const auto leaf = GradientLeaves::identity_of(*tensor.unsafeGetTensorImpl());
    if (leaf != nullptr) leaves.push_back(leaf);
  });
  return leaves;
}

/// Returns the leaves that identify an optimizer: those that it writes. Its address does not identify it, since
/// programs may make a new optimizer in each step. Empty if the optimizer has skipped all updates so far.
Segments::Leaves leaves_of(TrainingLoop& loop, const void* optimizer, const Segments::Leaves& written) {
  if (optimizer == nullptr) return written;
  if (written.empty()) {
    const auto known = loop.leaf_of_optimizer.find(optimizer);
    return known == loop.leaf_of_optimizer.end() ? Segments::Leaves{} : Segments::Leaves{known->second};
  }
  constexpr std::size_t kManyOptimizers = 1024;  // reached only if the program makes an optimizer in each step
  if (loop.leaf_of_optimizer.size() > kManyOptimizers) loop.leaf_of_optimizer.clear();
  loop.leaf_of_optimizer[optimizer] = written.front();
  return written;
}

/// Returns whether a write to these leaves may be an update: at least one leaf's gradient was used, or is unknown.
/// Programs may swap weights while all gradients are unused.
bool has_used_gradients(TrainingLoop& loop, const Segments::Leaves& leaves) {
  return std::ranges::any_of(ids_of(loop, leaves), [&](LeafId leaf) {
    const auto* life = loop.lives.life_of(leaf);
    return life == nullptr || life->is_used;
  });
}

/// Returns the first parameter name among these leaves; "" if none has a name.
std::string name_of_any(const Locked& state, const Segments::Leaves& leaves) {
  std::string first;
  state->scopes.modules.each_parameter([&](const auto& tensor, const std::string& name) {
    const bool is_one = std::ranges::find(leaves, GradientLeaves::identity_of(*tensor)) != leaves.end();
    if (is_one && (first.empty() || name < first)) first = name;
  });
  return first;
}

void add_updated_by_hand(TrainingLoop& loop, const Segments::Leaves& leaves) {
  loop.updated_by_hand.insert(leaves.begin(), leaves.end());
}

}  // namespace

TrainingLoop& Segments::loop_of_update_on(const Locked& state, ThreadState& thread) {
  TrainingLoop& loop = state->loops.of_update_on(thread, core_.clock.now_ns());
  begin_new_loop(state, loop);
  return loop;
}

/// Begins the first step of a new loop of a further thread, whose first forward ops ran before the loop was made.
void Segments::begin_new_loop(const Locked& state, TrainingLoop& loop) {
  if (loop.number == 0 || loop.steps.current().step > 0) return;
  finish(state, loop, loop.steps.forward_op(core_.clock.now_ns()));
}

void Segments::finish(const Locked& state, TrainingLoop& loop, const std::optional<Segment>& finished) {
  if (!finished) return;
  // Statistics of calls between an update and the next step can wait for the next step's end, so that one copy from the
  // device per step is enough.
  if (state->is_complete_after_backward) {
    complete_arrived(core_, state);
  } else if (!state->is_complete_after_update) {
    complete_pending(core_, state);
  }
  state->is_complete_after_update = state->is_complete_after_backward = false;
  passes_.settle(state, LossScales::Which::Ended);
  if (finished->step > 0) loop.choice.loss_seen(finished->step, state->losses.latest_is_finite());
  state->regions.end_segment(finished->end_ns - finished->start_ns - finished->overhead_ns);
  state->functions.clear();
  core_.recorder.add([&](Batch& batch) { batch.segments.push_back(*finished); });
  record_corrections(core_, loop);
  record_impacts(core_, state);
  if (core_.gpu.recording() != nullptr) core_.recorder.write_soon();  // each write collects GPU activities first
  decide_recording(loop);
  const bool is_of_loop = loop.owner < 0 || loop.owner == ThreadState::current().number;  // casts are thread-local
  if (is_of_loop) core_.casts->apply(loop.policy, loop.steps.expected_step(), core_.missing);
  core_.ranges.begin_step(state->loops.first().steps.expected_step());
  // Restarts replays that have not restarted yet: the optimizer was unannounced, or the step did not end with an
  // update. They do not restart before the first step, since the calls that they ran so far are part of it.
  const bool is_other_step = finished->step > 0 && loop.steps.expected_step() != finished->step;
  if (is_other_step && loop.replays_restarted_in != finished->id) core_.replays.restart();
  if (!loop.updated_by_hand.empty()) {
    const auto by_hand = std::exchange(loop.updated_by_hand, {});
    check_parameters(core_, state, *finished, Leaves(by_hand.begin(), by_hand.end()));
  }
}

void Segments::decide_recording(TrainingLoop& loop) {
  StepTracker& steps = loop.steps;
  const std::int64_t step = steps.expected_step();
  const bool is_recorded = records(core_, loop, step, steps.current().start_ns);
  steps.segment().set_recorded(is_recorded);
  const bool is_sampled = loop.choice.is_sampled(core_.options, step);
  const bool is_followed = loop.choice.is_followed(core_.options, step);
  ChosenSegments& costly = is_followed ? loop.costly_followed : loop.costly;
  loop.in_full = is_recorded && (core_.options.measures_all() || loop.choice.is_in_full(step) || costly.next());
  loop.sampled = is_sampled && !core_.recorder.is_full();
  loop.followed = is_followed && loop.sampled;
  if (is_sampled == loop.sampled || !(core_.options.impact || core_.options.inherited)) return;
  core_.missing.note("accumulated error and loss impact of steps", left_out::kCause, left_out::kRemedy);
}

bool Segments::is_recorded(const CallContext& call) const {
  return call.place.held != 0 || call.place.loop->steps.current().recorded;
}

// A replay begins where the previous step ended, so that it sees the casts of the batch. In the first step it begins
// with the AMP engine or with a module's forward, because the program makes the weights before that, and the replay
// starts with these weights.
bool Segments::has_replays(TrainingLoop& loop, const ThreadState& thread) const {
  if (!core_.replays.have_steps() || core_.recorder.is_full()) return false;
  const recording::Options& options = core_.options;
  const std::int64_t now_ns = core_.clock.now_ns();
  const Segment& current = loop.steps.current();
  const auto is_wanted = [&](std::int64_t step) {
    return records(core_, loop, step, now_ns) && loop.choice.is_followed(options, step);
  };
  if (current.step == 0) return (core_.has_engine || !thread.scopes.empty()) && is_wanted(1);
  if (loop.steps.is_step_over()) return is_wanted(current.step + 1);
  return current.recorded && loop.choice.is_followed(options, loop.steps.expected_step());
}

void Segments::restart_replays(TrainingLoop& loop) {
  core_.replays.restart();
  loop.replays_restarted_in = loop.steps.current().id;
}

void Segments::advance(const Locked& state, const CallContext& call, const ArgumentsSeen& arguments) {
  TrainingLoop& loop = *call.place.loop;
  if (call.phase == Phase::Backward) {
    begin_new_loop(state, loop);
    if (const auto* leaf = accumulated_parameter()) reach_leaf(state, *leaf);
  } else {
    notice_gradients(core_, state, call, arguments);
  }
  const bool makes_graph = call.phase == Phase::Forward && arguments.has_grad && call.info.returns_tensor &&
                           !call.info.writes_first && call.info.name != "detach";
  if (!makes_graph) return;
  notice_changes(core_, state, loop);
  const bool in_optimizer = !call.thread.optimizer_steps.empty();
  if (loop.steps.held().is_open() && !in_optimizer && goes_on_with_graph(call)) return;
  if (loop.steps.ends_with_forward_op(in_optimizer)) {
    finish(state, loop, loop.steps.forward_op(core_.clock.now_ns(), in_optimizer));
  }
}

void Segments::notice_update(const Locked& state, const CallContext& call, const ArgumentsSeen& arguments) {
  leaves_written(state, call, leaves_in(call, arguments));
}

void Segments::leaves_written(const Locked& state, const CallContext& call, const Leaves& leaves) {
  if (leaves.empty()) return;
  ThreadState& thread = call.thread;
  if (!thread.optimizer_steps.empty()) {
    auto& written = thread.optimizer_steps.back().leaves;
    written.insert(written.end(), leaves.begin(), leaves.end());
  } else if (thread.has_gradients && !inside_backward() && has_used_gradients(*call.place.loop, leaves)) {
    updated(state, thread, nullptr, leaves, /*skipped=*/false);
    if (core_.options.check_ranks > 0) add_updated_by_hand(state->loops.of(thread), leaves);
  } else {
    const std::vector<LeafId> ids = ids_of(*call.place.loop, leaves);
    call.place.loop->steps.updated({.leaves = ids, .goes_on = true}, core_.clock.now_ns());
    if (call.place.loop->steps.segment().is_updated()) call.place.loop->optimizers.goes_on(ids);
    if (!call.place.loop->updated_by_hand.empty()) add_updated_by_hand(*call.place.loop, leaves);
  }
}

void Segments::updated(const Locked& state, ThreadState& thread, const void* optimizer, const Leaves& leaves,
                       bool skipped) {
  TrainingLoop& loop = loop_of_update_on(state, thread);
  const Leaves known = leaves_of(loop, optimizer, leaves);
  for (const auto leaf : known) loop.unscaled.erase(leaf);
  const std::vector<LeafId> ids = ids_of(loop, known);
  loop.steps.updated({.optimizer = optimizer, .leaves = ids, .skipped = skipped}, core_.clock.now_ns());
  const std::size_t number = loop.optimizers.add(optimizer, ids, skipped);
  if (number >= loop.names_of_optimizers.size()) loop.names_of_optimizers.push_back(name_of_any(state, known));
  record_corrections(core_, loop);
  thread.awaits_update = thread.has_gradients = false;
}

}  // namespace ampprof::profiler
