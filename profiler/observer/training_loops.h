// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "profiler/overflow/output_trail.h"
#include "profiler/scopes/gradient_leaves.h"
#include "profiler/steps/chosen_segments.h"
#include "profiler/steps/optimizer_updates.h"
#include "profiler/steps/step_choice.h"
#include "profiler/steps/step_tracker.h"

namespace ampprof {
struct Batch;
}

namespace ampprof::profiler {

struct BackwardRoot;
struct ThreadState;

/// A loop that trains or infers, and its steps. A program has one loop, unless several threads update parameters. Then
/// each of these threads has a loop, and steps are numbered across all loops. Lives as long as the session, whose lock
/// guards it.
struct TrainingLoop {
  TrainingLoop(int place, StepNumbers& numbers, std::int64_t now_ns) : number(place), steps(numbers, lives, now_ns) {}

  const int number;  ///< index of the loop, from 0
  GradientLives lives;
  StepChoice choice;  ///< which steps are recorded
  StepTracker steps;
  std::int32_t owner = -1;  ///< number of the thread that trains in this loop; -1 until one does
  bool sampled = true;      ///< the current segment has loss impact
  bool followed = true;     ///< the current segment has inherited error and gradient impact
  ChosenSegments costly;    ///< picks the segments for costly measurements among recorded ones that are not followed
  ChosenSegments costly_followed;               ///< picks the segments for costly measurements among followed ones
  bool in_full = true;                          ///< the current segment has the costly measurements
  std::uint64_t policy = 0;                     ///< number of the policy that the loop applied last (CastChange)
  std::int64_t replays_restarted_in = 0;        ///< segment of the last restart_replays()
  OutputTrail trail;                            ///< calls of the current step if it is not recorded
  GradientLeaves leaves;                        ///< leaves that the loop's passes reached
  std::set<GradientLeaves::Identity> unscaled;  ///< leaves with unscaled gradients, until they are updated
  std::map<const void*, GradientLeaves::Identity> leaf_of_optimizer;
  OptimizerUpdates optimizers;
  std::vector<std::string> names_of_optimizers;        ///< name of one parameter of each optimizer; "" if unknown
  std::set<GradientLeaves::Identity> updated_by_hand;  ///< leaves updated without step() in this segment; --check-ranks
};

/// The training loops of the program. The first one always exists. Not thread-safe. A loop lives as long as this
/// object.
class TrainingLoops {
 public:
  TrainingLoops();

  TrainingLoop& first() { return *loops_.front(); }
  /// Returns the loop to which this thread's calls belong now.
  TrainingLoop& of(const ThreadState& thread);
  /// Returns the loop of a backward pass from these roots on this thread: the thread's loop, or the loop in which
  /// another thread trained one of the leaves, or a new loop. The first thread with a pass owns the first loop.
  TrainingLoop& of_pass_on(ThreadState& thread, const std::vector<BackwardRoot>& roots, std::int64_t now_ns);
  /// Returns the loop of an update on this thread. The first thread that updates owns the first loop. Any other thread
  /// that updates has a loop of its own.
  TrainingLoop& of_update_on(ThreadState& thread, std::int64_t now_ns);

  /// Notes that an op call ended at `now_ns`, on any thread.
  void op_ended(std::int64_t now_ns) {
    for (const auto& loop : loops_) loop->steps.segment().op_ended(now_ns);
  }
  void for_each(const std::function<void(TrainingLoop&)>& visit) {
    for (const auto& loop : loops_) visit(*loop);
  }
  /// Returns whether any optimizer has updated.
  bool has_trained() const { return numbers_.trains; }
  /// Adds the segments in progress, with their most likely step number, and the optimizers' updates so far.
  void add_progress_to(Batch& batch) const;

 private:
  TrainingLoop& add_loop(ThreadState& thread, std::int64_t now_ns);

  StepNumbers numbers_;
  std::vector<std::unique_ptr<TrainingLoop>> loops_;  ///< never empty
};

}  // namespace ampprof::profiler
