// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "profiler/calls/pending_call.h"

namespace ampprof::profiler {

struct Call;
class Locked;
struct SessionCore;

/// Keeps a call whose statistics are still on a device until complete_pending(). If the pending calls have waited too
/// long for a step to end (pending_bounds.h), completes them all.
void keep_pending(SessionCore& core, const Locked& state, Call& call);

/// Waits for devices until the statistics of all pending calls have arrived. Does nothing while CUDA captures a graph.
/// Does not record the calls: complete_arrived() does, since recording needs the loss scale.
void bring_pending(SessionCore& core, const Locked& state);

/// Completes and records the calls whose statistics bring_pending() has fetched. Does not wait.
void complete_arrived(SessionCore& core, const Locked& state);

/// Waits for the statistics of all pending calls, passes them to the stages, and records the calls and the pending
/// checksums of parameters. If only checksums are pending, waits only with a reference, or for more than
/// kMostPendingChecksums.
void complete_pending(SessionCore& core, const Locked& state);

/// Completes everything pending, at the program's end.
void complete_all(SessionCore& core, const Locked& state);

/// Returns the call's rows for all runs of the report after the first; an empty list if all runs have the same row.
std::vector<OpCall> further_of(const OpCall& record, const StageCalls& stages);

/// Passes all loss impacts whose parts have arrived to the recorder.
void record_impacts(SessionCore& core, const Locked& state);

}  // namespace ampprof::profiler
