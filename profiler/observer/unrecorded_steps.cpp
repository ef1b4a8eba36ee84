// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/unrecorded_steps.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/calls/call.h"
#include "profiler/observer/op_calls.h"
#include "profiler/observer/session_core.h"
#include "profiler/overflow/nonfinite_cause.h"
#include "profiler/torch_hooks/one_element_results.h"

namespace ampprof::profiler {
namespace {

bool is_nonfinite(const at::Tensor& loss) {
  if (!loss.defined() || !loss.is_cpu() || !loss.has_storage()) return false;
  const tensors::ObserverDisabledGuard guard;
  return !std::isfinite(loss.item().toDouble());
}

/// Returns the call site of the call that `found` describes. In a Python program the line identifies it. Otherwise it
/// is the site of the same call in the latest recorded step.
std::int64_t site_of(SessionCore& core, const Locked& state, const TrainingLoop& loop, const OutputTrail::Found& found,
                     const SourcePlaces& sources) {
  const CodePlace& code = found.maker.code;
  const CallSites::Key key{
      .phase = Phase::Forward, .module = found.maker.module, .op = found.maker.op->id, .line = code.line};
  const auto loop_number = static_cast<std::size_t>(loop.number);
  if (code.path == 0) {
    if (const std::int64_t known = state->sites.forward_site(key, loop_number, found.nth)) return known;
  }
  const CallSites::Origin origin{.maker = code.path, .call_group = ThreadState::current().new_call_group()};
  const std::int64_t site = state->sites.next(key, origin, loop_number, loop.steps.current().id);
  for (CallSite& row : new_sites(state, found.maker.op->name)) {
    row.source = sources.text_of(code.line);
    state->places.add(row, code.line, /*is_open=*/false);
    core.recorder.add([&](Batch& batch) { batch.call_sites.push_back(std::move(row)); });
  }
  return site;
}

NonfiniteTrace::Origin origin_of(const OutputTrail::Found& found) {
  // In FP16 a quotient may overflow without a zero divisor.
  const bool may_take_zero = found.type != DType::Half;
  return {.cause = cause_of({.op = found.maker.op->name,
                             .type = found.type,
                             .takes_mask = found.takes_mask,
                             .takes_zero = found.takes_zero.value_or(may_take_zero),
                             .gives_nan = found.gives_nan})};
}

void begin_event(SessionCore& core, const Locked& state, TrainingLoop& loop, const at::Tensor& loss,
                 const SourcePlaces& sources) {
  const Segment& segment = loop.steps.current();
  const auto found = loop.trail.first_nonfinite(segment.id);
  if (!found || found->takes_outside) {
    if (!state->losses.latest_is_finite()) return;  // the cause is in an earlier step
    core.missing.note("where the NaN or inf of a loss began",
                      "the step of this loss was not recorded: its weights or batch already had NaN or inf, or the "
                      "call was no longer remembered",
                      "record every step, with --overhead off");
    return;
  }
  NonfiniteTrace::Origin origin = origin_of(*found);
  origin.call_site = site_of(core, state, loop, *found, sources);
  origin.segment = segment.id;
  origin.micro_batch = loop.steps.segment().passes();  // counts the pass that is beginning
  core.nonfinite_memory.put(loss.storage().getWeakStorageImpl(), core.trace.found(origin));
}

}  // namespace

bool leaves_trail(const CallContext& call) {
  return call.phase == Phase::Forward && call.info.returns_tensor && !call.access.is_on_gpu;
}

void begin_on_trail(SessionCore& core, const Locked& state, CallContext& call) {
  call.place.module = state->scopes.module_of(call, core.missing);
  call.place.on_trail = call.place.loop->trail.begin(call.place.loop->steps.current().id, call.arguments());
}

void end_on_trail(const Locked& /*state*/, const CallContext& call) {
  const OutputTrail::Maker maker{.op = &call.info, .module = call.place.module, .code = call.place.code};
  call.place.loop->trail.end(*call.place.on_trail, maker, call.results());
}

void look_back(SessionCore& core, const Locked& state, TrainingLoop& loop, const std::vector<BackwardRoot>& roots,
               const OneElementResults& results, const SourcePlaces& sources) {
  if (loop.steps.current().recorded) return;
  for (const BackwardRoot& root : roots) {
    const at::Tensor loss = results.at(root);
    if (is_nonfinite(loss)) begin_event(core, state, loop, loss, sources);
  }
  loop.trail.forget();
}

}  // namespace ampprof::profiler
