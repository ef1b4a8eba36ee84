// SPDX-License-Identifier: Apache-2.0
#include "profiler/attach/observed_call.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/attach/call_access.h"
#include "profiler/gradient_impact/gradient_replays.h"
#include "profiler/nvtx/emit.h"
#include "profiler/observer/call_phase.h"
#include "profiler/observer/pending.h"
#include "profiler/observer/session.h"
#include "profiler/observer/session_core.h"
#include "profiler/observer/training_loops.h"
#include "profiler/replays/call_replays.h"
#include "profiler/torch_hooks/collective_work.h"
#include "profiler/torch_hooks/guarded.h"
#include "profiler/torch_hooks/observer_key.h"

namespace ampprof::profiler {
namespace {

/// Runs begin() or after() of a stage. After an exception all stages skip the call, because a later stage, or after()
/// of the same stage, may rely on the part that failed.
template <typename Work>
void run_stage(Call& call, Work&& work) {
  if (!call.access.is_readable) return;
  call.access.is_readable = guarded(FaultPlace::Stage, [&] {
    const tensors::ObserverDisabledGuard guard;
    work();
  });
}

// A bare call has no stages.
void begin_stages(CallContext&) {}
void end_stages(CallContext&) {}
void record_call(SessionCore& core, CallContext& call) {
  call.record.segment = call.recorded_segment();
  core.recorder.add_call(call.record);
}
void check_readability_of_results(SessionCore&, CallContext&) {}
void check_memory_budget(SessionCore&, CallContext&) {}
void check_memory_budget_of_results(SessionCore&, CallContext&) {}

/// Returns null unless the call is part of the first training loop. Only that loop's steps are taped.
GradientReplays* gradient_replays_of(SessionCore& core, const CallContext& call) {
  return call.place.loop != nullptr && call.place.loop->number == 0 ? core.gradient_replays.get() : nullptr;
}

/// Runs the op itself, and its replays. Returns the replays' time in ns.
std::int64_t redispatch(Session&, CallContext& call, c10::DispatchKeySet below) {
  const c10::impl::ExcludeDispatchKeyGuard inner_ops_are_part_of_this_one(kObserverKey);
  call.op.redispatchBoxed(below, &call.stack);
  return 0;
}

std::int64_t redispatch(Session& session, Call& call, c10::DispatchKeySet below) {
  SessionCore& core = session.core();
  GradientReplays* const replayed_steps = gradient_replays_of(core, call);
  const auto tape = replayed_steps == nullptr ? nullptr : replayed_steps->recorder_of(call);
  CallReplays replays(core.replays, tape.get(), call, core.missing, [&] { return session.calls().line_text_of(call); });
  if (!replays.observers().empty()) {
    const std::int64_t overhead_ns = run_in_leaves(replays.observers(), call.op, below, call.stack);
    call.replayed_leaves = replays.replayed();
    guarded(FaultPlace::Replay, [&] { replays.record_decisions(call, core.recorder); });
    return overhead_ns;
  }
  if (call.info.is_collective && keeps_its_work(call.op)) {
    run_for_works(call.op, below, call.stack);
  } else {
    redispatch(session, static_cast<CallContext&>(call), below);
  }
  if (!call.access.is_readable) guarded(FaultPlace::Replay, [&] { core.replays.lose(call.results()); });
  return 0;
}

/// Emits an NVTX range for other tools during its lifetime. Does nothing if no tool listens.
class [[nodiscard]] OpRange {
 public:
  OpRange(const NvtxRanges& ranges, const CallContext& call) : is_open_(ranges.is_listened_to()) {
    if (is_open_) emission::push(emission::Kind::Op, call.info.name.c_str());
  }
  ~OpRange() {
    if (is_open_) emission::pop();
  }
  OpRange(const OpRange&) = delete;
  OpRange& operator=(const OpRange&) = delete;

 private:
  bool is_open_;
};

/// Resets the thread's autograd state after a call that throws. The call may leave autograd nodes that would otherwise
/// be mistaken for a custom function's.
class [[nodiscard]] LeftByException {
 public:
  explicit LeftByException(ThreadState& thread) : thread_(thread) {}
  ~LeftByException() {
    if (std::uncaught_exceptions() <= before_) return;
    thread_.autograd = {};
    thread_.in_call = false;
  }
  LeftByException(const LeftByException&) = delete;
  LeftByException& operator=(const LeftByException&) = delete;

 private:
  ThreadState& thread_;
  int before_ = std::uncaught_exceptions();
};

template <typename AnyCall>
void run_unrecorded(Session& session, AnyCall& call, c10::DispatchKeySet below) {
  {
    const LaunchScope launched(session.core().gpu.recording(), LaunchedBy::unrecorded_step());
    redispatch(session, call, below);
  }
  guarded(FaultPlace::EndCall, [&] { session.calls().end_unrecorded(call); });
  (void)take_works_begun();
}

/// Runs the call and its replays. Returns the replays' time in ns.
template <typename AnyCall>
std::int64_t run_recorded(Session& session, AnyCall& call, c10::DispatchKeySet below) {
  SessionCore& core = session.core();
  const std::int64_t start = core.clock.now_ns();
  const std::int64_t replays_ns = [&] {
    const OpRange range(core.ranges, call);
    const LaunchScope launched(core.gpu.recording(), {call.recorded_segment(), call.record.call_site});
    return redispatch(session, call, below);
  }();
  call.record.start_ns = start;
  call.record.duration_ns = core.clock.now_ns() - start - replays_ns;
  return replays_ns;
}

template <typename AnyCall>
void observe_any(Session& session, AnyCall& call, c10::DispatchKeySet below, int stands_for) {
  const LeftByException left(call.thread);
  SessionCore& core = session.core();
  const auto own_clock = [&] { return stands_for == 0 ? 0 : OverheadTime::not_counted_ns(core.clock); };
  const std::int64_t entered = own_clock();
  bool is_recorded = false;
  guarded(FaultPlace::BeginCall, [&] { is_recorded = session.calls().begin(call); });
  if (GradientReplays* const steps = gradient_replays_of(core, call)) {
    guarded(FaultPlace::FinishStep, [&] { steps->call_begun(call, is_recorded); });
  }
  if (!is_recorded) return run_unrecorded(session, call, below);
  guarded(FaultPlace::BeginCall, [&] { check_memory_budget(core, call); });
  begin_stages(call);
  const std::int64_t begun = own_clock();
  const std::int64_t replays_ns = run_recorded(session, call, below);
  const std::int64_t ended = own_clock();
  check_readability_of_results(core, call);
  guarded(FaultPlace::EndCall, [&] { check_memory_budget_of_results(core, call); });
  end_stages(call);
  const std::int64_t own_ns = (begun - entered) + (own_clock() - ended);
  guarded(FaultPlace::EndCall, [&] {
    leave_call(call.thread);
    session.calls().end(call, replays_ns + stands_for * own_ns);
  });
  guarded(FaultPlace::RecordCall, [&] { record_call(core, call); });
}

}  // namespace

void begin_stages(Call& call) {
  for (Stage* stage : call.info.stages) {
    run_stage(call, [&] {
      if (auto begun = stage->begin(call)) call.stages.push_back(std::move(begun));
    });
  }
}

void end_stages(Call& call) {
  for (const auto& stage : call.stages) {
    run_stage(call, [&] { stage->after(call); });
  }
  (void)take_works_begun();  // drops Works of a collective that no stage has taken
}

void record_call(SessionCore& core, Call& call) {
  const bool is_complete = call.figures.statistics.is_complete() &&
                           std::ranges::all_of(call.stages, [](const auto& stage) { return stage->is_complete(); });
  if (is_complete) {
    call.record.segment = call.recorded_segment();
    return core.recorder.add_call(call.record, further_of(call.record, call.stages));
  }
  keep_pending(core, core.lock(), call);
}

void observe_call(Session& session, Call& call, c10::DispatchKeySet below) {
  observe_any(session, call, below, /*stands_for=*/1);
}

void observe_bare_call(Session& session, CallContext& call, c10::DispatchKeySet below, int stands_for) {
  observe_any(session, call, below, stands_for);
}

}  // namespace ampprof::profiler
