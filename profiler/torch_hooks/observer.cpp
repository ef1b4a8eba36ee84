// SPDX-License-Identifier: Apache-2.0
// The one boxed fallback through which every op call of the program goes.

#include <torch/library.h>

#include "precision/reference/quiet.h"
#include "profiler/observer/call.h"
#include "profiler/observer/session.h"
#include "profiler/torch_hooks/observer_key.h"

namespace ampprof::profiler {
namespace {

using StageStep = void (Stage::*)(Call&);

// An exception in a stage is ours, not the program's.
void run_stage(Session& session, Stage& stage, StageStep step, Call& call) {
  const Quiet quiet;
  try {
    (stage.*step)(call);
  } catch (const std::exception& error) {
    session.add_missing("values of op calls", std::string(call.info.name) + ": " + error.what(),
                        "report this as a defect of ampprof");
  }
}

void run_stages(Session& session, StageStep step, Call& call) {
  if (!call.with_values) return;
  for (const auto& stage : session.stages()) {
    if (stage->wants(call.info)) run_stage(session, *stage, step, call);
  }
}

void observe_recorded(Session& session, Call& call, c10::DispatchKeySet below, std::int64_t entered) {
  run_stages(session, &Stage::before, call);
  const std::int64_t start = session.now_ns();
  call.op.redispatchBoxed(below, &call.stack);
  const std::int64_t end = session.now_ns();
  call.record.start_ns = start;
  call.record.duration_ns = end - start;
  run_stages(session, &Stage::after, call);
  session.end(call, (start - entered) + (session.now_ns() - end));
}

void observe(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  const c10::DispatchKeySet below = keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kObserverKey);
  Session* session = Session::current();
  if (session == nullptr) return op.redispatchBoxed(below, stack);
  const OpInfo& info = session->info_of(op);
  if (info.runs_backward) return op.redispatchBoxed(below, stack);

  const c10::impl::ExcludeDispatchKeyGuard inner_ops_are_part_of_this_one(kObserverKey);
  const std::int64_t entered = session->now_ns();
  Call call{.op = op, .info = info, .stack = *stack};
  if (session->begin(call, entered)) {
    observe_recorded(*session, call, below, entered);
  } else {
    op.redispatchBoxed(below, stack);
  }
}

TORCH_LIBRARY_IMPL(_, TESTING_ONLY_GenericMode, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&observe>());
}

}  // namespace
}  // namespace ampprof::profiler
