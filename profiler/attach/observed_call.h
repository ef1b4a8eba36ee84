// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/calls/call.h"

namespace ampprof::profiler {

class Session;
struct SessionCore;

/// Runs a call of the program with the stages around it, and records it. `below`: the dispatch keys under the
/// observer's.
void observe_call(Session& session, Call& call, c10::DispatchKeySet below);

/// Does so for a call that no stage looks at. `stands_for`: of how many calls the time that ampprof takes is measured
/// in this one; 0: it is not measured.
void observe_bare_call(Session& session, CallContext& call, c10::DispatchKeySet below, int stands_for);

/// Lets the stages look at a call, before and after it ran. After an exception of one no further stage does.
void begin_stages(Call& call);
void end_stages(Call& call);

/// Records a call that has ended, at the end of its step where its figures come later.
void record_call(SessionCore& core, Call& call);

}  // namespace ampprof::profiler
