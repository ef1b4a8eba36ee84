// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/scopes/gradient_leaves.h"

namespace c10 {
struct TensorImpl;
}

namespace ampprof::profiler {

struct ArgumentsSeen;
struct BackwardPass;
struct CallContext;
class Locked;
struct SessionCore;
struct ThreadState;
struct TrainingLoop;

/// Functions that turn the program's use of gradients into events of the loop's StepTracker, which finds steps by them.

/// Begins a backward pass into leaves. `place`: the line of the call; 0 if unknown.
void begin_pass(SessionCore& core, const Locked& state, const BackwardPass& pass, std::int32_t place);
/// Notes that this thread's pass is about to add to the gradient of `leaf`.
void reach_leaf(const Locked& state, const c10::TensorImpl& leaf);
void end_pass(SessionCore& core, const Locked& state, const BackwardPass& pass);

/// Notices a call that reads gradients, or sets them to zero, outside of backward. Skips calls that record gradients of
/// their arguments, since the check would cost time in every forward op.
void notice_gradients(SessionCore& core, const Locked& state, const CallContext& call, const ArgumentsSeen& arguments);
/// Notices gradients that were dropped or replaced since the pass ended. Called at the first forward op after it.
void notice_changes(SessionCore& core, const Locked& state, TrainingLoop& loop);

/// Returns the numbers of the leaves with this memory.
std::vector<LeafId> ids_of(TrainingLoop& loop, const std::vector<GradientLeaves::Identity>& leaves);
/// Rewrites segments whose step turned out to be another one. Adds a note on those that cannot be corrected.
void record_corrections(SessionCore& core, TrainingLoop& loop);

}  // namespace ampprof::profiler
