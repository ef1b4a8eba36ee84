// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "profiler/steps/step_tracker.h"

namespace ampprof::profiler::training_program {

using Leaves = std::vector<LeafId>;

inline const Leaves kNet{1, 2, 3, 4}, kG{11, 12, 13}, kD{21, 22, 23};

inline Leaves both(const Leaves& one, const Leaves& other) {
  Leaves all = one;
  all.insert(all.end(), other.begin(), other.end());
  return all;
}

/// A training program as a sequence of events. Reports each event to the tracker, like the observer.
class Program {
 public:
  /// Runs an op that records gradients. With `in_closure`, runs it inside the optimizer's step().
  void forward(bool in_closure = false) {
    if (looks_) tell_dropped();
    looks_ = false;
    if (const auto finished = tracker_.forward_op(++now_, in_closure)) take(*finished);
    take_corrections();
  }

  struct Pass {
    int line = 1;
    std::int64_t optimizer_call = 0;
    bool raises = false;
    bool moves_away = false;  ///< a hook takes the gradients away
    bool updates = false;     ///< an optimizer updates inside backward and drops the gradients
  };
  void backward(const Leaves& leaves) { backward(leaves, Pass{}); }
  void backward(const Leaves& leaves, const Pass& pass) {
    tell_dropped();
    tracker_.pass_begun(++passes_, pass.line, pass.optimizer_call);
    for (const LeafId leaf : leaves) {
      lives_.reach(passes_, leaf);
      if (pass.updates) step({leaf});
      if (pass.moves_away || pass.updates) lives_.drop(leaf);
    }
    lives_.end(passes_, pass.raises);
    looks_ = true;
    take_corrections();
  }
  void iterate(const Leaves& leaves) {
    forward();
    backward(leaves);
  }

  void read(const Leaves& leaves) {
    for (const LeafId leaf : leaves) lives_.use(leaf);
    take_corrections();
  }
  /// Sets gradients to None. The tracker notices at the next op that checks gradients.
  void drop(const Leaves& leaves) { dropped_.insert(leaves.begin(), leaves.end()); }
  void zero(const Leaves& leaves) {
    for (const LeafId leaf : leaves) lives_.clear(leaf);
    take_corrections();
  }
  /// Frees the leaves and their gradients.
  void die(const Leaves& leaves) {
    for (const LeafId leaf : leaves) lives_.drop(leaf);
  }
  void write(const Leaves& leaves) {
    for (const LeafId leaf : leaves) lives_.write(leaf);
  }
  /// Calls step() of the optimizer that has these leaves.
  void step(const Leaves& leaves, bool skipped = false) {
    tracker_.updated({.optimizer = &tracker_, .leaves = leaves, .skipped = skipped}, ++now_);
    take_corrections();
  }
  void update_by_hand(const Leaves& leaves) {
    read(leaves);
    tracker_.updated({.leaves = std::span(leaves).first(1)}, ++now_);
    tracker_.updated({.leaves = std::span(leaves).subspan(1), .goes_on = true}, now_);
    take_corrections();
  }

  void end() {
    tracker_.end(++now_);
    take_corrections();
    take(tracker_.current());
  }

  std::size_t steps() {
    steps_[tracker_.current().id] = tracker_.current().step;
    std::set<std::int64_t> different;
    for (const auto& [segment, step] : steps_) different.insert(step);
    different.erase(0);
    return different.size();
  }
  /// Returns the steps of the segments in order. Leaves out step 0.
  std::string steps_of_segments() {
    (void)steps();
    std::string text;
    for (const auto& [segment, step] : steps_) text += step == 0 ? "" : std::to_string(step);
    return text;
  }
  /// Returns the numbers of the skipped steps in order.
  std::string skipped_steps() const {
    std::string text;
    for (const std::int64_t segment : skipped_) text += std::to_string(steps_.at(segment));
    return text;
  }
  /// Returns how many steps were merged with the next one.
  std::int64_t joined() const { return joined_; }
  StepTracker& tracker() { return tracker_; }
  const GradientLives& lives() const { return lives_; }

 private:
  void tell_dropped() {
    for (const LeafId leaf : dropped_) lives_.clear(leaf);
    dropped_.clear();
    take_corrections();
  }
  void take_corrections() {
    tracker_.take_claims();
    const auto [renumbered, held, joined] = tracker_.take_corrections();
    for (const Segment& segment : renumbered) take(segment);
    joined_ += joined;
  }
  void take(const Segment& segment) {
    steps_[segment.id] = segment.step;
    if (segment.skipped) skipped_.insert(segment.id);
  }

  StepNumbers numbers_;
  GradientLives lives_;
  StepTracker tracker_{numbers_, lives_};
  std::map<std::int64_t, std::int64_t> steps_;
  std::set<std::int64_t> skipped_;
  std::set<LeafId> dropped_;
  std::int64_t now_ = 0, passes_ = 0, joined_ = 0;
  bool looks_ = false;  ///< a pass has ended, and no forward op has run since
};

}  // namespace ampprof::profiler::training_program
