// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "profiler/calls/pending_call.h"

namespace ampprof::profiler {

struct Call;
class Locked;
struct SessionCore;

/// Keeps a call whose figures are still on a device, until complete_pending(). Completes it and all others where they
/// have waited too long for a step to end (pending_bounds.h).
void keep_pending(SessionCore& core, const Locked& state, Call& call);

/// Waits for what is on devices; the figures of the calls that are pending now have come then. They stay pending while
/// CUDA captures a graph. Who knows nothing of their loss scale yet may leave the rest to complete_arrived().
void bring_pending(SessionCore& core, const Locked& state);

/// Does the rest of complete_pending() for the calls that bring_pending() brought. Waits for nothing.
void complete_arrived(SessionCore& core, const Locked& state);

/// Waits for the figures of all pending calls, lets the stages look at them, and records them. Checksums of parameters
/// come along; for them alone it waits only where a step waits for its figures anyway, or very many have gathered.
void complete_pending(SessionCore& core, const Locked& state);

/// Does so whatever is pending: the program ends.
void complete_all(SessionCore& core, const Locked& state);

/// Returns the call as the further runs of the report have it; none where it is the same in all.
std::vector<OpCall> further_of(const OpCall& record, const StageCalls& stages);

/// Hands the loss impacts to the recorder whose parts have all come.
void record_impacts(SessionCore& core, const Locked& state);

}  // namespace ampprof::profiler
