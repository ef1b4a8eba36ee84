// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/calls/call.h"

namespace ampprof::profiler {

class Session;
struct SessionCore;

/// Runs a call of the program with the stages around it, and records it. `below`: the dispatch keys under the
/// observer's.
void observe_call(Session& session, Call& call, c10::DispatchKeySet below);

/// Runs and records a call that no stage looks at. `stands_for`: the number of calls for which ampprof's own time is
/// measured in this one; 0 if it is not measured.
void observe_bare_call(Session& session, CallContext& call, c10::DispatchKeySet below, int stands_for);

/// Pass a call to the stages before and after it runs. After an exception in one stage, later stages are skipped.
void begin_stages(Call& call);
void end_stages(Call& call);

/// Records a call that has ended. If its figures are pending, they are recorded at the end of its step.
void record_call(SessionCore& core, Call& call);

}  // namespace ampprof::profiler
