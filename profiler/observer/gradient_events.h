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

/// Turn what the program does to gradients into events of the loop's StepTracker, which finds its steps by them.

/// A backward pass into leaves begins at this line; 0 where that is unknown.
void begin_pass(SessionCore& core, const Locked& state, const BackwardPass& pass, std::int32_t place);
/// The pass that this thread is in is about to add to the gradient of `leaf`.
void reach_leaf(const Locked& state, const c10::TensorImpl& leaf);
void end_pass(SessionCore& core, const Locked& state, const BackwardPass& pass);

/// Notices a call that reads gradients, or sets them to zero, outside of backward. Not a call that records gradients
/// of its arguments: it would cost every forward op a look.
void notice_gradients(SessionCore& core, const Locked& state, const CallContext& call, const ArgumentsSeen& arguments);
/// Notices gradients that were dropped or replaced since the pass ended. For the first forward op after it.
void notice_changes(SessionCore& core, const Locked& state, TrainingLoop& loop);

/// Returns the numbers of the leaves with this memory.
std::vector<LeafId> ids_of(TrainingLoop& loop, const std::vector<GradientLeaves::Identity>& leaves);
/// Writes the segments again whose step is another one than was thought, and says what cannot be mended.
void record_corrections(SessionCore& core, TrainingLoop& loop);

}  // namespace ampprof::profiler
