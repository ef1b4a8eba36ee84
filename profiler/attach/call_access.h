// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/calls/call.h"
#include "profiler/calls/stage.h"

namespace ampprof::profiler {

struct SessionCore;

/// Check whether the call's GPUs have memory left: before it runs, for the copies of stages and replays, and
/// afterwards, for what they compute from its results. If one has not, stages and replays skip the call. So ampprof
/// never makes the program run out of memory, or its allocator release its cache.
void check_memory_budget(SessionCore& core, Call& call);
void check_memory_budget_of_results(SessionCore& core, Call& call);

/// Checks whether the stages can read the call's results. A tensor that only Python or functorch can read has no
/// values. The target of an asynchronous copy has none yet. A tensor captured into a CUDA graph must not be read.
void look_at_results(SessionCore& core, Call& call);

}  // namespace ampprof::profiler
