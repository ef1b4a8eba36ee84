// SPDX-License-Identifier: Apache-2.0
// The one boxed fallback through which every op call of the program goes.
#include <torch/library.h>

#include "profiler/attach/observed_call.h"
#include "profiler/attach/role.h"
#include "profiler/calls/call.h"
#include "profiler/observer/session.h"
#include "profiler/torch_hooks/collective_work.h"
#include "profiler/torch_hooks/guarded.h"
#include "profiler/torch_hooks/leaf_calls.h"
#include "profiler/torch_hooks/observer_key.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

/// Returns the number of calls that the overhead measured in this call stands for; 0 if this call is not measured. Only
/// one call in kAlike is measured, because the overhead is nearly equal in all calls that no stage looks at, and
/// reading the clock is a large part of it.
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
    ThreadState::current().autograd = {};  // tracing makes autograd nodes without an observed call
    return op.redispatchBoxed(below, stack);
  }
  Session* session = nullptr;
  guarded(FaultPlace::FindSession, [&] { session = session_for_op(); });
  if (session == nullptr) return op.redispatchBoxed(below, stack);
  if (inside_run_for_works()) return run_inner_for_works(op, below, *stack);
  if (is_inside_leaves()) return run_inner(op, below, *stack);
  ThreadState& thread = ThreadState::current();
  if (thread.hidden > 0) return op.redispatchBoxed(below, stack);
  const OpInfo* info = nullptr;
  guarded(FaultPlace::LookUpOp, [&] { info = &session->calls().info_of(op, thread); });
  if (info == nullptr || info->runs_backward) return op.redispatchBoxed(below, stack);
  if (!info->stages.empty()) {
    Call call{{.op = op, .info = *info, .stack = *stack, .thread = thread}};
    observe_call(*session, call, below);
  } else {
    CallContext call{.op = op, .info = *info, .stack = *stack, .thread = thread};
    observe_bare_call(*session, call, below, calls_to_measure_for(thread));
  }
}

TORCH_LIBRARY_IMPL(_, TESTING_ONLY_GenericMode, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&observe>());
}

}  // namespace
}  // namespace ampprof::profiler
