// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/calls/call.h"
#include "profiler/calls/stage.h"

namespace ampprof::profiler {

struct SessionCore;

/// Check whether the call's GPUs have enough free memory for stages and replays: before the call for their copies of
/// the arguments, and after it for the tensors that they compute from the results. If a GPU has too little, stages and
/// replays skip the call. So ampprof never makes the program run out of memory or the allocator release its cache.
void check_memory_budget(SessionCore& core, Call& call);
void check_memory_budget_of_results(SessionCore& core, Call& call);

/// Checks whether the stages can read the call's results. They cannot read a wrapper, whose values only Python or
/// functorch can read, the target of an asynchronous copy in progress, or a tensor captured into a CUDA graph.
void check_readability_of_results(SessionCore& core, Call& call);

}  // namespace ampprof::profiler
