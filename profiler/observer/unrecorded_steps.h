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

/// Returns whether an unrecorded call is kept until the end of its forward pass, for look_back().
bool leaves_trail(const CallContext& call);
/// Stores an unrecorded call in the loop's OutputTrail before it runs. end_on_trail() adds its results.
void begin_on_trail(SessionCore& core, const Locked& state, CallContext& call);
void end_on_trail(const Locked& state, const CallContext& call);

/// Checks the roots of a backward pass in an unrecorded step. If a root is not finite, begins an event at the call from
/// which its NaN or inf descends.
void look_back(SessionCore& core, const Locked& state, TrainingLoop& loop, const std::vector<BackwardRoot>& roots,
               const OneElementResults& results, const SourcePlaces& sources);

}  // namespace ampprof::profiler
