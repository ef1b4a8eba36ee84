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
/// A segment is *settled* when its gradients are used or thrown away, or when an optimizer updates, done or skipped. It
/// ends at the next grad-enabled forward op, except inside the optimizer that uses its gradients. Its step is known
/// once it is settled: a pass that claims a leaf that was claimed in this step begins a new step. Passes share a step
/// if they were called at different lines, with no update of the leaf between them (SAM), or inside one call of an
/// optimizer (a closure). A leaf whose gradient had no visible life is claimed by its update. So gradient accumulation
/// is one segment, and a GAN's generator and discriminator are two segments of one step. If a step claimed leaves that
/// it did not begin with, and the next step begins with these, it was two steps: another net is trained now.
///
/// A step that used gradients without any update of leaves was skipped by the program. It is reported only if other
/// steps have an update, since an update such as `p.data = ...` is not visible.
///
/// Calls between a settled segment and the op that ends it are held (BetweenSteps), unless the program marks the ends
/// of its steps.
///
/// Without passes, a step is one outermost module call in inference. Steps counted before the first use of a gradient
/// came before the first step. Segments are finished in order; current() is the segment in progress. Not thread-safe.
class StepTracker {
 public:
  using Id = const void*;  ///< an optimizer or a module; only compared

  /// `numbers` and `lives` must outlive the tracker. Times are nanoseconds since the run began; they must not decrease.
  /// Call take_claims() after every other event of `lives`.
  StepTracker(StepNumbers& numbers, GradientLives& lives, std::int64_t now_ns = 0);

  /// Returns whether forward_op() would finish the current segment. `in_optimizer`: the op runs in a closure.
  bool ends_with_forward_op(bool in_optimizer = false) const {
    return segment_.is_updated() || inference_module_ != nullptr || (is_settled_ && !in_optimizer);
  }
  /// Each of these may finish the current segment, and returns it if so.
  [[nodiscard]] std::optional<Segment> forward_op(std::int64_t now_ns, bool in_optimizer = false);
  [[nodiscard]] std::optional<Segment> inference_module_entered(Id module, std::int64_t now_ns);
  [[nodiscard]] std::optional<Segment> step_ended(std::int64_t now_ns);

  /// Returns the calls around the current segment. From the use of gradients on, calls are held after it.
  HeldAround& held() { return held_; }

  /// Begins a backward pass into leaves. `place` is the line that called it, or 0 if unknown. `optimizer_call` numbers
  /// the call of step() that it runs in; 0 outside of any.
  void pass_begun(std::int64_t pass, std::int32_t place, std::int64_t optimizer_call = 0);
  /// Takes the claims of passes.
  void take_claims();
  /// Says that an optimizer will update these leaves, or skip them.
  void leaves_held(std::span<const LeafId> leaves);

  /// An update of leaves, done or skipped.
  struct Update {
    Id optimizer = nullptr;            ///< null for an update that nothing announced
    std::span<const LeafId> leaves{};  ///< empty if unknown
    bool skipped = false;
    bool goes_on = false;  ///< belongs to the update of the current segment, if there was one
  };
  void updated(const Update& update, std::int64_t now_ns);
  /// Ends the program. The calls since its last step, such as a validation, belong to no step. Take the corrections
  /// after it.
  void end(std::int64_t now_ns);

  const Segment& current() const { return segment_.get(); }
  /// Returns the current segment, for its times and flags.
  SegmentInProgress& segment() { return segment_; }

  /// Corrects finished segments.
  struct Corrections {
    /// Segments of another step, skipped ones, and stretches of held calls.
    std::vector<Segment> renumbered{};
    std::vector<HeldCalls> held{};  ///< the segments of held calls
    /// Number of steps in the segment of the next step. The program had thrown them away, or used their gradients
    /// twice, but this showed only when the next step had begun.
    std::int64_t joined = 0;
  };
  /// Returns the corrections since the last call.
  Corrections take_corrections();

  /// Returns whether an update was most likely the last of its step. Then calls before the next op (a batch that is
  /// loaded and cast) are for the step after it.
  bool is_step_over() const;
  /// Returns the step that the current segment will most likely belong to.
  std::int64_t expected_step() const;

 private:
  /// The pass that claimed a leaf in this step.
  struct ClaimedBy {
    std::int64_t pass = 0;  ///< the latest; 0: an update
    std::int32_t first_place = 0, place = 0;
  };
  struct Finished {
    Segment segment;
    bool is_settled = false;
    bool is_updated = false;
  };
  /// Distinguishes the current step from the next one.
  struct Step {
    std::int64_t segment = 0;  ///< the first segment
    std::int64_t pass = 0;     ///< the first that claimed; 0: an update, or none yet
    std::unordered_map<LeafId, ClaimedBy> claims{};
    std::unordered_set<LeafId> first{};    ///< claimed by that pass
    std::unordered_set<LeafId> updated{};  ///< by an optimizer
    std::unordered_set<LeafId> later{};    ///< claimed from `later_segment` on
    std::int64_t later_segment = 0;        ///< of the first pass that claimed other leaves after a use; 0: none
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
  Id inference_module_ = nullptr;   ///< module that began the current segment, if that is inference
  std::set<Id> inference_modules_;  ///< modules called in it so far
  std::optional<std::int32_t> inference_position_;
  std::int64_t optimizer_call_ = 0;  ///< in which the latest pass ran
  std::vector<Finished> finished_;   ///< of this step
  bool has_updated_ = false;         ///< some update was not skipped
  std::vector<Segment> skipped_;     ///< steps without an update, reported once the program has some
  std::vector<Segment> early_;       ///< finished segments with a step, from before any optimizer updated
  Corrections corrections_;
  std::int32_t settled_segments_ = 0;         ///< of this step
  std::int32_t settled_segments_before_ = 1;  ///< of the step before
};

/// Returns the step that will most likely come next. Call it between two steps.
std::int64_t next_step(const StepTracker& tracker);
/// Returns the tracker's current segment with its most likely step and position.
Segment expected_segment(const StepTracker& tracker);

}  // namespace ampprof::profiler
