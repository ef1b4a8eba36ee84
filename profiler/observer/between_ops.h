// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::profiler {

struct CallContext;
class Locked;
struct SessionCore;

/// Functions that tell a loop's StepTracker which tensors the op calls between two steps read and make, and which of
/// these tensors the next step reads.

/// Returns whether a call between two steps, if it records a graph, only extends existing graphs: none of its arguments
/// is a leaf that requires grad. Such a call does not begin the next forward.
bool goes_on_with_graph(const CallContext& call);
/// Handles the beginning of a call whose phase and segment are set. Holds the call if it runs between two steps.
/// Otherwise notes that the step reads the arguments, since this decides which step held calls belong to.
void notice_reads(SessionCore& core, const Locked& state, CallContext& call);
/// Handles the end of a held call.
void notice_made(const Locked& state, const CallContext& call);

}  // namespace ampprof::profiler
