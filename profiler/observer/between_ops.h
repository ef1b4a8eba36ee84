// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::profiler {

struct CallContext;
class Locked;
struct SessionCore;

/// Functions that pass on to a loop's StepTracker which tensors op calls between two steps read and make, and which of
/// them the next step reads.

/// Returns whether a call that records a graph between two steps continues existing graphs, and so begins no forward.
bool goes_on_with_graph(const CallContext& call);
/// Handles the beginning of a call, whose phase and segment are known. Holds it, or assigns it to the step before or
/// after it.
void notice_reads(SessionCore& core, const Locked& state, CallContext& call);
/// Handles the end of a held call.
void notice_made(const Locked& state, const CallContext& call);

}  // namespace ampprof::profiler
