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
/// Remember such a call before it runs, and its results when it has ended.
void begin_on_trail(SessionCore& core, const Locked& state, CallContext& call);
void end_on_trail(const Locked& state, const CallContext& call);

/// Checks the roots of a backward pass whose step is not recorded. If one is not finite, begins an event at the call
/// from which its NaN or inf descends.
void look_back(SessionCore& core, const Locked& state, TrainingLoop& loop, const std::vector<BackwardRoot>& roots,
               const OneElementResults& results, const SourcePlaces& sources);

}  // namespace ampprof::profiler
