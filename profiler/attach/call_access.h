// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/calls/call.h"
#include "profiler/calls/stage.h"

namespace ampprof::profiler {

struct SessionCore;

/// Looks whether the GPUs that a call works on have memory left for what stages and replays copy, before it ran, and
/// afterwards for what they make of its results: the program must not run out of memory by ampprof, nor its allocator
/// have to give its cache back. Where one has not, they do not look at the call.
void check_memory_budget(SessionCore& core, Call& call);
void check_memory_budget_of_results(SessionCore& core, Call& call);

/// Looks whether the stages can read what the call returned: what only Python or functorch can read has no values, and
/// what may still be under way has none yet. What is captured into a CUDA graph may not be read.
void look_at_results(SessionCore& core, Call& call);

}  // namespace ampprof::profiler
