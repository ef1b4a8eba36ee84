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
/// A segment is *settled* when its gradients are used or thrown away, or when an optimizer updates, done or skipped. A
/// settled segment ends at the next grad-enabled forward op, except inside the optimizer that uses its gradients. Its
/// step is known once it is settled: a pass that claims (see GradientLives) a leaf that another pass has claimed in
/// this step begins a new step. Passes share a step if they were called at different lines with no update of the leaf
/// between them (SAM), or inside one call of an optimizer (a closure). A leaf whose gradient had no visible life is
/// claimed by its update. So gradient accumulation is one segment, and a GAN's generator and discriminator are two
/// segments of one step. If a step claims leaves of a second net after the leaves of its first pass, and the next step
/// begins with leaves of the second net, the step is split in two: the program has gone on to train the second net.
///
/// A step that used gradients but updated no leaf was skipped by the program. It is reported as skipped only if other
/// steps have an update, since an update such as `p.data = ...` is not visible.
///
/// Calls between a settled segment and the op that ends it are held (BetweenSteps), unless the program marks the ends
/// of its steps (ampprof::step()).
///
/// Without passes, a step is one outermost module call in inference. Steps before the first use of a gradient become
/// step 0. Segments are finished in order; current() is the segment in progress. Not thread-safe.
class StepTracker {
 public:
  using Id = const void*;  ///< address of an optimizer or a module, only compared

  /// `numbers` and `lives` must outlive the tracker. Times are nanoseconds since the run began; they must not decrease.
  /// Call take_claims() after every other event of `lives`.
  StepTracker(StepNumbers& numbers, GradientLives& lives, std::int64_t now_ns = 0);

  /// Returns whether forward_op() would finish the current segment. `in_optimizer`: the op runs in an optimizer's
  /// closure.
  bool ends_with_forward_op(bool in_optimizer = false) const {
    return segment_.is_updated() || inference_module_ != nullptr || (is_settled_ && !in_optimizer);
  }
  // Events that may finish the current segment. They return the finished segment.
  [[nodiscard]] std::optional<Segment> forward_op(std::int64_t now_ns, bool in_optimizer = false);
  [[nodiscard]] std::optional<Segment> inference_module_entered(Id module, std::int64_t now_ns);
  [[nodiscard]] std::optional<Segment> step_ended(std::int64_t now_ns);

  /// Returns the held calls around the current segment. Calls are held once the gradients of the segment were used.
  HeldAround& held() { return held_; }

  /// Begins a backward pass into leaves. `place`: id of the line that called backward (SourcePlaces::Id); 0 if unknown.
  /// `optimizer_call`: number of the optimizer's step() in which the pass runs; 0 if there is none.
  void pass_begun(std::int64_t pass, std::int32_t place, std::int64_t optimizer_call = 0);
  /// Processes the claims that `lives` has collected.
  void take_claims();
  /// Notes that an optimizer owns these leaves: the optimizer will update them, or skip the update.
  void leaves_held(std::span<const LeafId> leaves);

  /// An update of leaves, done or skipped.
  struct Update {
    Id optimizer = nullptr;            ///< null if no optimizer announced the update (a write by the program)
    std::span<const LeafId> leaves{};  ///< updated or skipped leaves; empty if unknown
    bool skipped = false;
    bool goes_on = false;  ///< the leaves are a further part of the latest update of the current segment
  };
  void updated(const Update& update, std::int64_t now_ns);
  /// Call it when the program ends, and take_corrections() after it. Calls after the last step, such as a validation,
  /// belong to no step.
  void end(std::int64_t now_ns);

  const Segment& current() const { return segment_.get(); }
  /// Returns the current segment, so that its times and flags can be set.
  SegmentInProgress& segment() { return segment_; }

  /// Corrections of finished segments.
  struct Corrections {
    /// Segments whose step number changed or that were skipped, and new segments of held calls.
    std::vector<Segment> renumbered{};
    std::vector<HeldCalls> held{};  ///< segments of held calls
    /// Number of steps that share a segment with the next step. Such steps were thrown away, or their gradients were
    /// used twice, which showed only after the next step had begun.
    std::int64_t joined = 0;
  };
  /// Returns and clears the corrections.
  Corrections take_corrections();

  /// Returns whether the latest update was most likely the last of its step, so that the next calls (a batch is loaded
  /// and cast) prepare the next step.
  bool is_step_over() const;
  /// Returns the step that the current segment will most likely belong to.
  std::int64_t expected_step() const;

 private:
  /// The pass that claimed a leaf in this step.
  struct ClaimedBy {
    std::int64_t pass = 0;  ///< the latest pass with a claim of the leaf; 0 if an update claimed the leaf
    std::int32_t first_place = 0, place = 0;  ///< LeafPass::place of the first such pass, and of the latest one
  };
  struct Finished {
    Segment segment;
    bool is_settled = false;
    bool is_updated = false;
  };
  /// The claims of the current step, by which the beginning of the next step is recognized.
  struct Step {
    std::int64_t segment = 0;  ///< the step's first segment
    std::int64_t pass = 0;     ///< the first pass with a claim; 0 if an update claimed first, or without a claim
    std::unordered_map<LeafId, ClaimedBy> claims{};
    std::unordered_set<LeafId> first{};    ///< leaves claimed by `pass`
    std::unordered_set<LeafId> updated{};  ///< leaves that an optimizer has updated
    std::unordered_set<LeafId> later{};    ///< leaves claimed in `later_segment` or later
    /// Segment of the first pass that began after a claim and then claimed a leaf that is not in `first`; 0 if there is
    /// none.
    std::int64_t later_segment = 0;
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
  Id inference_module_ = nullptr;   ///< module whose call began the current segment, if it is of inference; else null
  std::set<Id> inference_modules_;  ///< modules called in the current segment of inference
  std::optional<std::int32_t> inference_position_;  ///< position in the step that all its segments of inference share
  std::int64_t optimizer_call_ = 0;                 ///< LeafPass::optimizer_call of the latest claim
  std::vector<Finished> finished_;                  ///< finished segments of this step
  bool has_updated_ = false;                        ///< the program has made an update that was not skipped
  std::vector<Segment> skipped_;  ///< last segments of steps without an update, reported once has_updated_
  std::vector<Segment> early_;    ///< finished segments with a step, from before training began or leaves were held
  Corrections corrections_;
  std::int32_t settled_segments_ = 0;         ///< number of settled segments in this step
  std::int32_t settled_segments_before_ = 1;  ///< number of settled segments in the previous step
};

/// Returns the step that will most likely come next. Call it between two steps.
std::int64_t next_step(const StepTracker& tracker);
/// Returns the tracker's current segment with its most likely step and position.
Segment expected_segment(const StepTracker& tracker);

}  // namespace ampprof::profiler
