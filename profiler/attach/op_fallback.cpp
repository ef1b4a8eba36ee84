// SPDX-License-Identifier: Apache-2.0
// The one boxed fallback through which every op call of the program goes.

#include <torch/library.h>

#include <exception>
#include <memory>
#include <utility>

#include "profiler/attach/call_stages.h"
#include "profiler/attach/role.h"
#include "profiler/calls/call.h"
#include "profiler/gradient_impact/gradient_replays.h"
#include "profiler/nvtx/emit.h"
#include "profiler/observer/call_phase.h"
#include "profiler/observer/course.h"
#include "profiler/observer/session.h"
#include "profiler/observer/session_core.h"
#include "profiler/observer/training_loops.h"
#include "profiler/recipes/own_gradients.h"
#include "profiler/recorder/guarded.h"
#include "profiler/torch_hooks/collective_work.h"
#include "profiler/torch_hooks/followed_call.h"
#include "profiler/torch_hooks/observer_key.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

void run_stages(StageStep, CallContext&) {}
void look_at_results(SessionCore&, CallContext&) {}
void look_for_room(SessionCore&, CallContext&) {}
void look_for_room_of_results(SessionCore&, CallContext&) {}

/// Null where no step of this call is taped: those of the first training loop are.
GradientReplays* gradient_replays_of(SessionCore& core, const CallContext& call) {
  return call.loop != nullptr && call.loop->number == 0 ? core.gradient_replays.get() : nullptr;
}

/// Null where what a call gives is the program's, or the shadow's, alone.
shadow::OtherProducts* products_of(const Course& course, const CallContext& call) {
  if (course.recipes == nullptr || call.phase == Phase::Optimizer) return nullptr;
  if (call.phase == Phase::Backward) {
    static OwnGradients own_gradients;
    return course.shadow != nullptr && call.is_followed ? &own_gradients : nullptr;
  }
  const bool is_looked_at = course.shadow != nullptr ? call.is_followed : call.sampled && call.is_readable;
  return is_looked_at ? course.recipes.get() : nullptr;
}

/// Null where none follows the call. One in a recipe begins each step as the program does: nothing reads its updates.
shadow::Shadow* shadow_of(const Course& course, const CallContext& call) {
  const bool is_update = call.phase == Phase::Optimizer && !call.thread.optimizer_steps.empty();
  return call.is_followed && !(course.recipes != nullptr && is_update) ? course.shadow.get() : nullptr;
}

Followers followers_of(const SessionCore& core, const CallContext& call, TapeRecorder* taper) {
  Followers followers{.taper = taper};
  for (const Course& course : core.courses) {
    const Follower follower{shadow_of(course, call), products_of(course, call)};
    if (follower.shadow != nullptr || follower.products != nullptr) followers.courses.push_back(follower);
  }
  return followers;
}

/// Runs the op itself. Returns the time that the shadow took.
std::int64_t redispatch(Session&, CallContext& call, c10::DispatchKeySet below) {
  const c10::impl::ExcludeDispatchKeyGuard inner_ops_are_part_of_this_one(kObserverKey);
  call.op.redispatchBoxed(below, &call.stack);
  return 0;
}

/// Runs a call that nobody follows.
std::int64_t run_alone(Session& session, Call& call, c10::DispatchKeySet below) {
  if (!call.info.is_collective || !keeps_its_work(call.op)) {
    return redispatch(session, static_cast<CallContext&>(call), below);
  }
  auto works = run_for_works(call.op, below, call.stack);
  if (call.collective) call.collective->works = std::move(works);
  return 0;
}

std::int64_t redispatch(Session& session, Call& call, c10::DispatchKeySet below) {
  GradientReplays* const taped = gradient_replays_of(session.core(), call);
  const std::shared_ptr<TapeRecorder> taper = taped == nullptr ? nullptr : taped->taper_of(call);
  Followers followers = followers_of(session.core(), call, taper.get());
  if (followers.courses.empty() && taper == nullptr) {
    const std::int64_t overhead_ns = run_alone(session, call, below);
    if (!call.is_readable) {
      guarded(FaultPlace::Shadow, [&] { session.core().lose_in_shadows(call.results()); });
    }
    return overhead_ns;
  }
  const auto missed = [&](const c10::OperatorHandle& op, const std::string& reason) {
    note_not_followed(session.core().missing, session.calls().info_of(op, call.thread).name, reason);
  };
  Followed followed = run_followed(std::move(followers), missed, call.op, below, call.stack);
  if (call.collective) call.collective->works = std::move(followed.works);
  call.leaves_followed = followed.leaves;
  return followed.overhead_ns;
}

/// A range for other tools, as long as it lives. Does nothing where nobody listens.
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

/// A call that throws leaves nodes behind that no call made, as far as anybody can tell.
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

/// `stands_for`: of how many calls the time that ampprof takes is measured in this one.
template <typename AnyCall>
void observe_call(Session& session, AnyCall& call, c10::DispatchKeySet below, int stands_for) {
  const LeftByException left(call.thread);
  SessionCore& core = session.core();
  const std::int64_t entered = stands_for == 0 ? 0 : core.clock.now_ns();
  bool is_recorded = false;
  guarded(FaultPlace::BeginCall, [&] { is_recorded = session.calls().begin(call); });
  if (GradientReplays* const taped = gradient_replays_of(core, call)) {
    guarded(FaultPlace::FinishStep, [&] { taped->call_begun(call, is_recorded); });
  }
  if (!is_recorded) {
    {
      const LaunchScope launched(core.gpu.recording(), LaunchedBy::unrecorded_step());
      redispatch(session, call, below);
    }
    guarded(FaultPlace::EndCall, [&] { session.calls().end_unrecorded(call); });
    return;
  }
  guarded(FaultPlace::BeginCall, [&] { look_for_room(core, call); });
  run_stages(&Stage::before, call);
  const std::int64_t start = core.clock.now_ns();
  const std::int64_t shadow_ns = [&] {
    const OpRange range(core.ranges, call);
    const LaunchScope launched(core.gpu.recording(), {call.record.substep, call.record.call_site});
    return redispatch(session, call, below);
  }();
  const std::int64_t end = core.clock.now_ns();
  call.record.start_ns = start;
  call.record.duration_ns = end - start - shadow_ns;
  look_at_results(core, call);
  guarded(FaultPlace::EndCall, [&] { look_for_room_of_results(core, call); });
  run_stages(&Stage::after, call);
  const std::int64_t own_ns = stands_for == 0 ? 0 : (start - entered) + (core.clock.now_ns() - end);
  guarded(FaultPlace::EndCall, [&] {
    leave_call(call.thread);
    session.calls().end(call, shadow_ns + stands_for * own_ns);
  });
  guarded(FaultPlace::RecordCall, [&] { session.calls().record(call); });
}

/// The time that ampprof takes is nearly the same for all calls that no stage looks at, and reading the clock is a good
/// part of it.
int calls_to_measure_for(ThreadState& thread) {
  constexpr int kAlike = 16;
  if (++thread.unmeasured_calls < kAlike) return 0;
  thread.unmeasured_calls = 0;
  return kAlike;
}

void observe(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  const c10::DispatchKeySet below = keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kObserverKey);
  if (helps_a_kernel()) return op.redispatchBoxed(below, stack);
  if (is_traced()) {
    ThreadState::current().autograd = {};  // nodes are made that no call seen here makes
    return op.redispatchBoxed(below, stack);
  }
  Session* session = nullptr;
  guarded(FaultPlace::FindSession, [&] { session = session_for_op(); });
  if (session == nullptr) return op.redispatchBoxed(below, stack);
  if (inside_run_for_works()) return run_inner_for_works(op, below, *stack);
  if (inside_followed_call()) return run_inner(op, below, *stack);
  ThreadState& thread = ThreadState::current();
  if (thread.hidden > 0) return op.redispatchBoxed(below, stack);
  const OpInfo* info = nullptr;
  guarded(FaultPlace::LookUpOp, [&] { info = &session->calls().info_of(op, thread); });
  if (info == nullptr || info->runs_backward) return op.redispatchBoxed(below, stack);

  if (!info->stages.empty()) {
    Call call{{.op = op, .info = *info, .stack = *stack, .thread = thread}};
    observe_call(*session, call, below, 1);
  } else {
    CallContext call{.op = op, .info = *info, .stack = *stack, .thread = thread};
    observe_call(*session, call, below, calls_to_measure_for(thread));
  }
}

TORCH_LIBRARY_IMPL(_, TESTING_ONLY_GenericMode, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&observe>());
}

}  // namespace
}  // namespace ampprof::profiler
