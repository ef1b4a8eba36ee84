// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/pending.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>

#include "profiler/calls/call.h"
#include "profiler/gradient_impact/gradient_replays.h"
#include "profiler/observer/parameter_checks.h"
#include "profiler/observer/pending_bounds.h"
#include "profiler/observer/session_core.h"

namespace ampprof::profiler {
namespace {

PendingLoad load_of(const SessionCore& core, const Locked& state, Phase phase) {
  const OpCall& first = state->pending.front().record;
  return {.calls = state->pending.size(),
          .waited_ns = core.clock.now_ns() - first.start_ns - first.duration_ns,
          .is_in_training = state->loops.has_trained() && phase != Phase::Inference,
          .awaits_loss_scale = state->scales.has_open()};
}

/// Returns whether to wait for checksums. With --reference off no step waits for a device, since the program may be
/// capturing a CUDA graph.
bool awaits_checksums(const SessionCore& core, const Locked& state) {
  const bool waits = core.options.reference != recording::ReferenceMode::Off;
  return state->checked.pending.size() > (waits ? 0 : kMostPendingChecksums);
}

}  // namespace

void keep_pending(SessionCore& core, const Locked& state, Call& call) {
  state->pending.push_back({.record = std::move(call.record),
                            .held = call.place.held,
                            .phase = call.phase,
                            .figures = std::move(call.figures),
                            .stages = std::move(call.stages)});
  if (waits_too_long(load_of(core, state, call.phase))) complete_pending(core, state);
}

void bring_pending(SessionCore& core, const Locked& state) {
  const LaunchScope own(core.gpu.recording(), LaunchedBy::ampprof());
  if (!core.results.complete()) return;
  state->arrived = state->pending.size();
  record_checksums(core, state);
}

void complete_arrived(SessionCore& core, const Locked& state) {
  const auto end = state->pending.begin() + static_cast<std::ptrdiff_t>(std::exchange(state->arrived, 0));
  const std::span<PendingCall> calls(state->pending.begin(), end);
  if (calls.empty()) return;
  for (PendingCall& call : calls) {
    if (call.phase == Phase::Backward && !call.record.scale) call.record.scale = state->scales.unscaled_by();
    for (const auto& stage : call.stages) stage->complete(call);
  }
  for (const auto& stage : core.stages) stage->batch_completed();
  for (PendingCall& call : calls) {
    if (call.held != 0) call.record.segment = call.held;
    core.recorder.add_call(call.record, further_of(call.record, call.stages));
  }
  state->pending.erase(state->pending.begin(), end);
}

void complete_pending(SessionCore& core, const Locked& state) {
  if (state->pending.empty() && !awaits_checksums(core, state)) return;
  bring_pending(core, state);
  complete_arrived(core, state);
}

void complete_all(SessionCore& core, const Locked& state) {
  const bool may_send = core.gradient_replays != nullptr && !core.results.is_closed();  // else the driver may be gone
  const bool awaits_gradients = may_send && core.gradient_replays->send_numbers();
  if (state->pending.empty() && state->checked.pending.empty() && !awaits_gradients) return;
  bring_pending(core, state);
  complete_arrived(core, state);
}

std::vector<OpCall> further_of(const OpCall& record, const StageCalls& stages) {
  std::vector<OpCall> further;
  for (const auto& stage : stages) stage->add_further(record, further);
  return further;
}

void record_impacts(SessionCore& core, const Locked& state) {
  for (std::size_t run = 0; run < core.recorder.runs(); ++run) {
    std::vector<LossImpact> impacts = state->impacts.take(run);
    core.recorder.add(run, [&](Batch& batch) { std::ranges::move(impacts, std::back_inserter(batch.impacts)); });
  }
}

}  // namespace ampprof::profiler
