// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "profiler/observer/training_loops.h"
#include "reports/records/step.h"

namespace ampprof::profiler {

struct ArgumentsSeen;
class BackwardPasses;
struct CallContext;
class Locked;
struct SessionCore;
struct ThreadState;

/// Decides where segments end, what is recorded of them, and where replays begin again.
class Segments {
 public:
  using Leaves = std::vector<GradientLeaves::Identity>;

  Segments(SessionCore& core, BackwardPasses& passes) : core_(core), passes_(passes) {}

  // Op calls, when they begin.
  /// May end the segment of a call.
  void advance(const Locked& state, const CallContext& call, const ArgumentsSeen& arguments);
  /// Notices an optimizer that nothing announces: it writes to leaves, or to their memory, after a backward pass.
  void notice_update(const Locked& state, const CallContext& call, const ArgumentsSeen& arguments);
  /// Notices one where it is known which leaves a call writes, or wrote.
  void leaves_written(const Locked& state, const CallContext& call, const Leaves& leaves);
  /// Returns whether this call is recorded, which is in its segment, or held.
  bool is_recorded(const CallContext& call) const;
  /// Returns whether replays run them too.
  bool has_replays(TrainingLoop& loop, const ThreadState& thread) const;

  /// Writes the segment that ended, if one did, and begins the next one.
  void finish(const Locked& state, TrainingLoop& loop, const std::optional<Segment>& finished);
  /// An optimizer updated these leaves, or would have if the update had not been skipped. `optimizer` is null for one
  /// that nothing announced.
  void updated(const Locked& state, ThreadState& thread, const void* optimizer, const Leaves& leaves, bool skipped);
  /// Decides whether the segment that begins is recorded, and which figures are taken of it.
  void decide_recording(TrainingLoop& loop);
  void restart_replays(TrainingLoop& loop);

 private:
  void begin_new_loop(const Locked& state, TrainingLoop& loop);
  TrainingLoop& loop_of_update_on(const Locked& state, ThreadState& thread);

  SessionCore& core_;
  BackwardPasses& passes_;
};

}  // namespace ampprof::profiler
