// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/engine_events.h"

#include <torch/types.h>

#include <algorithm>
#include <span>
#include <utility>

#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/read_scalars_async.h"
#include "profiler/calls/thread_state.h"
#include "profiler/observer/backward_passes.h"
#include "profiler/observer/gradient_events.h"
#include "profiler/observer/pending.h"
#include "profiler/observer/segments.h"
#include "profiler/observer/session_core.h"
#include "profiler/observer/stage_services.h"

namespace ampprof::profiler {
void EngineEvents::started(const std::string& level) {
  core_.has_engine = true;
  {
    const Locked state = core_.lock();
    state->scopes.modules.expire();  // O2 and O3 have replaced the parameters' storage
    segments_.restart_replays(state->loops.first());
  }
  core_.ranges.begin_level(level);
  core_.attach.level = level;
  core_.recorder.attach_again(core_.attach);
}

void EngineEvents::master_created(const at::Tensor& parameter, const at::Tensor& master) {
  const Locked state = core_.lock();
  state->masters.add(parameter, master);
  state->scopes.modules.add_copy(parameter.unsafeGetTensorImpl(), master.unsafeGetTensorImpl());
  core_.replays.link(parameter, master);
}

void EngineEvents::input_rounded(const at::Tensor& original, const at::Tensor& rounded) {
  if (!core_.options.impact || rounded.requires_grad()) return;
  const Originals originals{{.values = original.to(at::kFloat)}};
  core_.rounded_inputs.put(rounded, originals, StageServices(core_).step_ahead().step);
}

void EngineEvents::ran_in_recipe(const at::Tensor& result) {
  ThreadState::current().recipe_result = result.unsafeGetTensorImpl();
  has_run_in_recipe_.store(true, std::memory_order_relaxed);
}

void EngineEvents::cast_inserted(const CastRecord& cast) {
  ThreadState& thread = ThreadState::current();
  if (thread.in_call) return thread.add_cast(cast);
  // The engine casts a model's input in an op call of its own, so the cast belongs to this thread's last op call.
  if (thread.last_site == 0) return;
  CastRecord made = cast;
  made.segment = thread.last_segment;
  made.call_site = thread.last_site;
  core_.recorder.add([&](Batch& batch) { batch.casts.push_back(made); });
}

void EngineEvents::loss_seen(int loss_id, const at::Tensor& loss, double scale) {
  const Locked state = core_.lock();
  state->scales.engine_scales_by(scale);
  state->loss_id = loss_id;
  const std::int64_t segment = state->loops.of(ThreadState::current()).steps.current().id;
  state->losses.add({.segment = segment, .loss_id = loss_id}, {{loss, core_.replays.of(loss)}}, core_.results);
}

void EngineEvents::backward_ended() { core_.lock()->scales.engine_scales_by(std::nullopt); }

bool EngineEvents::has_engine() const { return core_.has_engine.load(std::memory_order_relaxed); }

OverflowEventBuilder EngineEvents::begin_event() {
  const Locked state = core_.lock();
  state->is_complete_after_backward ? complete_arrived(core_, state) : complete_pending(core_, state);
  return {core_.trace, core_.nonfinite_memory};
}

void EngineEvents::overflowed(OverflowEventBuilder event, NonfiniteTrace::Decision decision) {
  const Locked state = core_.lock();
  decision.segment = state->loops.of(ThreadState::current()).steps.current().id;
  std::move(event).finish(decision);
  core_.trace.gradients.clear();
}

void EngineEvents::scale_updated(int loss_id, double before, double after, bool overflow, bool skipped) {
  const Locked state = core_.lock();
  const ScaleUpdate update{.segment = state->loops.of(ThreadState::current()).steps.current().id,
                           .loss_id = loss_id,
                           .scale_before = before,
                           .scale_after = after,
                           .overflow = overflow,
                           .skipped = skipped};
  core_.recorder.add([&](Batch& batch) { batch.scale_updates.push_back(update); });
  core_.trace.gradients.clear();
  core_.trace.updated();
}

std::vector<double> EngineEvents::numbers_of(const std::vector<at::Tensor>& tensors) {
  const tensors::ObserverDisabledGuard guard;
  std::vector<double> numbers(tensors.size());
  bool is_elsewhere = false;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].is_cpu()) {
      numbers[i] = tensors[i].item().toDouble();
      continue;
    }
    is_elsewhere = true;
    tensors::read_scalars_async({tensors[i]}, core_.results,
                                [&number = numbers[i]](std::span<const double> arrived) { number = arrived[0]; });
  }
  if (!is_elsewhere) return numbers;
  const Locked state = core_.lock();
  bring_pending(core_, state);  // does not complete calls: that needs the loss scale, which is one of the numbers
  state->is_complete_after_backward = true;
  return numbers;
}

void EngineEvents::gradients_unscaled(const at::Tensor& first_gradient, std::optional<double> scale) {
  const Locked state = core_.lock();
  TrainingLoop& loop = state->loops.of(ThreadState::current());
  if (const auto leaf = loop.leaves.owner_of(first_gradient.unsafeGetTensorImpl())) {
    loop.unscaled.insert(leaf);
    const auto* life = loop.lives.life_of(ids_of(loop, {leaf}).front());
    if (life != nullptr) state->scales.divides_gradients_of(life->pass);
  }
  if (scale) state->scales.unscaled_by(*scale);
}

void EngineEvents::scaler_decided(const void* scaler, double before, double after, bool overflow) {
  const Locked state = core_.lock();
  const auto passes = state->scales.scaler_decided(scaler, before, after);
  divide(state, passes);
  if (std::ranges::any_of(passes, &LossScales::Settled::is_unscaled)) {
    core_.missing.note(kUnscaledLoss,
                       "the loss was not scaled, but its backward pass adds to gradients that a loss scaler divides",
                       "call scaler.scale(loss).backward() for each loss");
  }
  ThreadState& thread = ThreadState::current();
  TrainingLoop& loop = state->loops.of(thread);
  const auto left_out = std::exchange(loop.unscaled, {});
  if (!overflow) return;
  if (left_out.empty() && loop.steps.segment().awaits_update()) {
    segments_.updated(state, thread, nullptr, {nullptr}, /*skipped=*/true);
  }
  if (left_out.empty()) {  // the kernel of a fused optimizer skipped the update
    loop.steps.segment().mark_skipped(/*seemed_done=*/true);
    loop.optimizers.take_back();
  }
  for (const GradientLeaves::Identity leaf : left_out) {
    segments_.updated(state, thread, nullptr, {leaf}, /*skipped=*/true);
  }
}

}  // namespace ampprof::profiler
