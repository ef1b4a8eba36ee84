// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::profiler {

struct CallContext;
class Locked;
struct SessionCore;

/// Tell the StepTracker of a loop what op calls read and make between two steps, and what the next step reads of it.

/// Returns whether a call that records a graph between two steps goes on with graphs that were there: it begins no
/// forward.
bool goes_on_with_graph(const CallContext& call);
/// The call begins, in its phase and segment. Holds it, or sees that it is a part of the step before, or of the next.
void notice_reads(SessionCore& core, const Locked& state, CallContext& call);
/// A held call has ended.
void notice_made(const Locked& state, const CallContext& call);

}  // namespace ampprof::profiler
