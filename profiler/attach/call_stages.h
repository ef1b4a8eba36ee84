// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "profiler/calls/call.h"
#include "profiler/calls/stage.h"

namespace ampprof::profiler {

class MissingNotes;
struct SessionCore;

using StageStep = void (Stage::*)(Call&);

/// Lets the stages look at a call, before or after it ran. After an exception of one no further stage does.
void run_stages(StageStep step, Call& call);

/// Looks whether the GPUs that a call works on have memory left for what stages and shadow copy, before it ran, and
/// afterwards for what they make of its results: the program must not run out of memory by ampprof, nor its allocator
/// have to give its cache back. Where one has not, they do not look at the call.
void look_for_room(SessionCore& core, Call& call);
void look_for_room_of_results(SessionCore& core, Call& call);

/// Looks whether the stages can read what the call returned: what only Python or functorch can read has no values, and
/// what may still be under way has none yet. What is captured into a CUDA graph may not be read.
void look_at_results(SessionCore& core, Call& call);

/// Says that what this call's results inherited is not known.
void note_not_followed(MissingNotes& missing, const std::string& op, const std::string& reason);

}  // namespace ampprof::profiler
