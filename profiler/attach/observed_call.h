// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/calls/call.h"

namespace ampprof::profiler {

class Session;
struct SessionCore;

/// Runs a call of the program with the stages around it, and records it. `below`: the dispatch keys below the
/// observer's key.
void observe_call(Session& session, Call& call, c10::DispatchKeySet below);

/// Runs and records a call that no stage looks at. `stands_for`: the number of calls for which the overhead of this
/// call is counted; 0 if the overhead of this call is not measured.
void observe_bare_call(Session& session, CallContext& call, c10::DispatchKeySet below, int stands_for);

/// Pass a call to the stages before and after it runs. After an exception in one stage, later stages are skipped.
void begin_stages(Call& call);
void end_stages(Call& call);

/// Records a call that has ended. If statistics of the call are still on a device, records it at the end of the step.
void record_call(SessionCore& core, Call& call);

}  // namespace ampprof::profiler
