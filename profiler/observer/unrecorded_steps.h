// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace ampprof::profiler {

struct BackwardRoot;
struct CallContext;
class Locked;
class OneElementResults;
struct SessionCore;
class SourcePlaces;
struct TrainingLoop;

/// Returns whether a call that is not recorded is remembered to the end of its forward pass.
bool leaves_trail(const CallContext& call);
/// Such a call is about to run, or has ended.
void begin_on_trail(SessionCore& core, const Locked& state, CallContext& call);
void end_on_trail(const Locked& state, const CallContext& call);

/// A backward pass begins at these roots. Where one is not finite, and the step is not recorded, begins an event at the
/// call that gave the first NaN or inf, and lets the next steps be recorded.
void look_back(SessionCore& core, const Locked& state, TrainingLoop& loop, const std::vector<BackwardRoot>& roots,
               const OneElementResults& results, const SourcePlaces& sources);

}  // namespace ampprof::profiler
