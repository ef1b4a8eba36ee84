// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "profiler/calls/pending_call.h"

namespace ampprof::profiler {

struct Call;
class Locked;
struct SessionCore;

/// Keeps a call whose figures are still on a device until complete_pending(). Completes all pending calls if they have
/// waited too long for a step to end (pending_bounds.h).
void keep_pending(SessionCore& core, const Locked& state, Call& call);

/// Waits for devices, so that the figures of all pending calls arrive. Does nothing while CUDA captures a graph. A
/// caller that does not know the loss scale yet may leave the rest to complete_arrived().
void bring_pending(SessionCore& core, const Locked& state);

/// Completes and records the calls whose figures bring_pending() has read. Does not wait.
void complete_arrived(SessionCore& core, const Locked& state);

/// Waits for the figures of all pending calls, passes them to the stages, and records them. Checksums of parameters
/// arrive too. For checksums alone it waits only if steps wait for figures anyway, or if very many are pending.
void complete_pending(SessionCore& core, const Locked& state);

/// Completes everything pending, at the program's end.
void complete_all(SessionCore& core, const Locked& state);

/// Returns the call's rows in the further runs of the report; an empty list if it is the same in all runs.
std::vector<OpCall> further_of(const OpCall& record, const StageCalls& stages);

/// Hands the recorder all loss impacts whose parts have arrived.
void record_impacts(SessionCore& core, const Locked& state);

}  // namespace ampprof::profiler
