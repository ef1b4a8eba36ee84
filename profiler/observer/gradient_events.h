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

/// Functions that turn the program's use of gradients into events for the loop's StepTracker, which finds steps from
/// these events.

/// Handles the beginning of a backward pass that accumulates into leaves. `place`: id of the line that calls
/// backward(); 0 if unknown.
void begin_pass(SessionCore& core, const Locked& state, const BackwardPass& pass, std::int32_t place);
/// Notes that this thread's pass is about to add to the gradient of `leaf`.
void reach_leaf(const Locked& state, const c10::TensorImpl& leaf);
void end_pass(SessionCore& core, const Locked& state, const BackwardPass& pass);

/// Notices a call that reads gradients, or sets them to zero, outside of backward. Skips calls for which autograd
/// records a graph, since the check would cost time in every forward op.
void notice_gradients(SessionCore& core, const Locked& state, const CallContext& call, const ArgumentsSeen& arguments);
/// Notices gradients that the program dropped or replaced after a backward pass. Called at the first forward op after
/// the pass.
void notice_changes(SessionCore& core, const Locked& state, TrainingLoop& loop);

/// Returns the ids of these leaves, except null ones.
std::vector<LeafId> ids_of(TrainingLoop& loop, const std::vector<GradientLeaves::Identity>& leaves);
/// Writes the rows of segments whose step number was corrected. Adds a note if two steps could not be told apart.
void record_corrections(SessionCore& core, TrainingLoop& loop);

}  // namespace ampprof::profiler
