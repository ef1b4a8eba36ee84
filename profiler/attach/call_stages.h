// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "profiler/calls/call.h"
#include "profiler/calls/stage.h"

namespace ampprof::profiler {

class MissingNotes;

using StageStep = void (Stage::*)(Call&);

/// Lets the stages look at a call, before or after it ran. After an exception of one no further stage does.
void run_stages(StageStep step, Call& call);

/// Looks whether the stages can read what the call returned: what only Python or functorch can read has no values.
void look_at_results(Call& call);

/// Says that what this call's results inherited is not known.
void note_not_followed(MissingNotes& missing, const std::string& op, const std::string& reason);

}  // namespace ampprof::profiler
