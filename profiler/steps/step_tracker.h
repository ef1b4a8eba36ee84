// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "profiler/steps/gradient_lives.h"
#include "profiler/steps/held_around.h"
#include "profiler/steps/segment_in_progress.h"
#include "profiler/steps/step_numbers.h"
#include "reports/records/step.h"

namespace ampprof::profiler {

/// Cuts the program into segments and segments into steps.
///
/// A segment is *settled* when gradients of it are used or thrown away, or an optimizer updates, done or skipped; it
/// ends at the next grad-enabled forward op, but not inside the optimizer that uses them. Which step it belongs to is
/// known when it is settled: a pass that claims a leaf that was claimed in this step begins a new one. But passes that
/// were called at different lines, with no update of the leaf between, share a step (SAM), and so do passes inside one
/// call of an optimizer (a closure). A leaf whose gradient had no life that we saw is claimed by its update. So
/// accumulation is one segment, and a GAN's generator and discriminator are two segments of one step. If a step claimed
/// leaves that it did not begin with, and the next step begins with these, the step was two: another net is trained
/// now.
///
/// A step whose gradients were used without any update of leaves was skipped by the program. That is said only where
/// other steps have one: an update such as `p.data = ...` is not seen.
///
/// Calls between a settled segment and the op that ends it are held (BetweenSteps), unless the program says itself
/// where its steps end.
///
/// Without passes a step is one outermost module call in inference; what was counted before the first use of a gradient
/// came before the first step. Segments are finished in order; the one in progress is current(). Not thread-safe.
class StepTracker {
 public:
  using Id = const void*;  ///< an optimizer or a module; only compared

  /// Both outlive the tracker. Times are nanoseconds since the run began; they must not decrease. After any other event
  /// of `lives` call take_claims().
  StepTracker(StepNumbers& numbers, GradientLives& lives, std::int64_t now_ns = 0);

  /// Returns whether forward_op() would finish the current segment. `in_optimizer`: the op runs in a closure.
  bool ends_with_forward_op(bool in_optimizer = false) const {
    return segment_.is_updated() || inference_module_ != nullptr || (is_settled_ && !in_optimizer);
  }
  /// Each of these may finish the current segment; the finished one is returned.
  [[nodiscard]] std::optional<Segment> forward_op(std::int64_t now_ns, bool in_optimizer = false);
  [[nodiscard]] std::optional<Segment> inference_module_entered(Id module, std::int64_t now_ns);
  [[nodiscard]] std::optional<Segment> step_ended(std::int64_t now_ns);

  /// Returns the calls around the current segment. They are held after it from the use of gradients on.
  HeldAround& held() { return held_; }

  /// A backward pass into leaves begins. `place` is the line that it was called at, 0 where that is unknown;
  /// `optimizer_call` numbers the call of step() that it runs inside of, 0 outside of any.
  void pass_begun(std::int64_t pass, std::int32_t place, std::int64_t optimizer_call = 0);
  /// Takes what passes have claimed by now.
  void take_claims();
  /// An optimizer will update these leaves, or skip them.
  void leaves_held(std::span<const LeafId> leaves);

  /// An update of leaves, or one that would have been if it had not been skipped.
  struct Update {
    Id optimizer = nullptr;            ///< null for one that nothing announced
    std::span<const LeafId> leaves{};  ///< empty where they are not known
    bool skipped = false;
    bool goes_on = false;  ///< of the update of the current segment, if there was one
  };
  void updated(const Update& update, std::int64_t now_ns);
  /// The program ends. What it did since its last step, such as a validation, belongs to no step. Take the corrections.
  void end(std::int64_t now_ns);

  const Segment& current() const { return segment_.get(); }
  /// Returns the same, for its times and flags.
  SegmentInProgress& segment() { return segment_; }

  /// Says what was thought wrongly, or not known, of segments that are finished.
  struct Corrections {
    /// They are of another step, or were skipped after all; or stretches of held calls.
    std::vector<Segment> renumbered{};
    std::vector<HeldCalls> held{};  ///< where these are
    /// Steps that lie in the segment of the next one: the program showed that it had thrown them away, or used their
    /// gradients twice, when the next one was under way.
    std::int64_t joined = 0;
  };
  /// Returns what turned out since the last call.
  Corrections take_corrections();

  /// Returns, after an update, whether most likely it was the last of its step, so that what comes before the next op
  /// (a batch that is loaded and cast) is for the step after it.
  bool is_step_over() const;
  /// Returns the step that the current segment will most likely turn out to belong to.
  std::int64_t expected_step() const;

 private:
  /// Says what claimed a leaf in this step.
  struct ClaimedBy {
    std::int64_t pass = 0;  ///< the latest; 0: an update
    std::int32_t first_place = 0, place = 0;
  };
  struct Finished {
    Segment segment;
    bool is_settled = false;
    bool is_updated = false;
  };
  /// Holds what tells the step in progress from the next one.
  struct Step {
    std::int64_t segment = 0;  ///< that it began with
    std::int64_t pass = 0;     ///< that claimed first; 0: an update, or none yet
    std::unordered_map<LeafId, ClaimedBy> claims{};
    std::unordered_set<LeafId> first{};    ///< claimed by that pass
    std::unordered_set<LeafId> updated{};  ///< by an optimizer
    std::unordered_set<LeafId> later{};    ///< claimed from `later_segment` on
    std::int64_t later_segment = 0;        ///< of the first pass that claimed other leaves after use; 0: none
  };

  Segment finish(std::int64_t now_ns);
  void remember(const Finished& finished);
  void updates_also(std::span<const LeafId> leaves);
  void begin_step(std::int64_t segment);
  void begin_step_with(const Claim& claim);
  void settle();
  void begin_training();
  void take(const Claim& claim);
  void add(const Claim& claim);
  bool is_claimed_again(const Claim& claim) const;
  void take_update(LeafId leaf, const Update& update);
  void join_early_steps();
  void note_without_update(std::int64_t segment);
  void report_without_update();

  StepNumbers& numbers_;
  GradientLives& lives_;
  SegmentInProgress segment_;
  HeldAround held_;
  Step step_;
  bool is_settled_ = false;
  bool explicit_steps_ = false;
  Id inference_module_ = nullptr;   ///< the module that began the current segment, if it is one of inference
  std::set<Id> inference_modules_;  ///< called in it so far
  std::optional<std::int32_t> inference_position_;
  std::int64_t optimizer_call_ = 0;  ///< that the latest pass ran inside of
  std::vector<Finished> finished_;   ///< of this step
  bool has_updated_ = false;         ///< an update was seen that was not skipped
  std::vector<Segment> skipped_;     ///< by the program, if it turns out to have updates
  std::vector<Segment> early_;       ///< finished, with a step, before an optimizer updated
  Corrections corrections_;
  std::int32_t settled_segments_ = 0;         ///< of this step
  std::int32_t settled_segments_before_ = 1;  ///< of the step before
};

/// Returns, between two steps, the number of the one that is most likely to follow.
std::int64_t next_step(const StepTracker& tracker);
/// Returns the tracker's current segment with the step and position that it will most likely turn out to have.
Segment expected_segment(const StepTracker& tracker);

}  // namespace ampprof::profiler
