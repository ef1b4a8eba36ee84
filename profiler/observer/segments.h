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

/// Decides where segments end, which parts of them are recorded, and where replays restart.
class Segments {
 public:
  using Leaves = std::vector<GradientLeaves::Identity>;

  Segments(SessionCore& core, BackwardPasses& passes) : core_(core), passes_(passes) {}

  // Events of op calls.
  /// Ends the current segment if the call begins a new one.
  void advance(const Locked& state, const CallContext& call, const ArgumentsSeen& arguments);
  /// Notices an update by an unannounced optimizer, which writes to leaves or to their memory after a backward pass.
  void notice_update(const Locked& state, const CallContext& call, const ArgumentsSeen& arguments);
  /// Notices an update by an unannounced optimizer from the leaves that a call writes or has written.
  void leaves_written(const Locked& state, const CallContext& call, const Leaves& leaves);
  /// Returns whether this call is recorded. The call must be in a segment or held.
  bool is_recorded(const CallContext& call) const;
  /// Returns whether replays run this thread's calls.
  bool has_replays(TrainingLoop& loop, const ThreadState& thread) const;

  /// Records `finished`, if a segment has ended, and begins the next one.
  void finish(const Locked& state, TrainingLoop& loop, const std::optional<Segment>& finished);
  /// Handles an update of these leaves, done or skipped. `optimizer` is null if no optimizer announced the update.
  void updated(const Locked& state, ThreadState& thread, const void* optimizer, const Leaves& leaves, bool skipped);
  /// Decides whether the segment that begins is recorded, and which costly measurements it has.
  void decide_recording(TrainingLoop& loop);
  void restart_replays(TrainingLoop& loop);

 private:
  void begin_new_loop(const Locked& state, TrainingLoop& loop);
  TrainingLoop& loop_of_update_on(const Locked& state, ThreadState& thread);

  SessionCore& core_;
  BackwardPasses& passes_;
};

}  // namespace ampprof::profiler
