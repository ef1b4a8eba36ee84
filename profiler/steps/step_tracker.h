// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "reports/records/step.h"

namespace ampprof::profiler {

/// The numbers that several trackers of one run count together.
struct StepNumbers {
  std::int64_t segments = 0;  ///< begun so far
  std::int64_t steps = 0;
  bool trains = false;  ///< an optimizer has updated
};

/// Cuts the program into segments and segments into steps.
///
/// A segment ends at the first grad-enabled forward op after an optimizer update, done or skipped. Whether it began a
/// new step is known only when it updates: if what it updates was already updated in this step, the segment is the
/// first of the next one. So accumulation is one segment, and a GAN's generator and discriminator are two segments of
/// one step. Without an optimizer a step is one outermost module call in inference; once there is an update, what was
/// counted so far came before the first step. Segments are finished in order; the one in progress is current(). Not
/// thread-safe.
class StepTracker {
 public:
  using Id = const void*;  ///< a parameter, an optimizer or a module; only compared

  /// `numbers` outlives the tracker. Times are nanoseconds since the run began; they must not decrease.
  explicit StepTracker(StepNumbers& numbers, std::int64_t now_ns = 0);

  /// Returns whether forward_op() would finish the current segment.
  bool ends_with_forward_op() const { return current_updated_ || inference_module_ != nullptr; }
  /// Each of these may finish the current segment; the finished one is returned.
  [[nodiscard]] std::optional<Segment> forward_op(std::int64_t now_ns);
  [[nodiscard]] std::optional<Segment> inference_module_entered(Id module, std::int64_t now_ns);
  [[nodiscard]] std::optional<Segment> step_ended(std::int64_t now_ns);

  /// An update of parameters, or one that would have been if it had not been skipped. A parameter that was updated in
  /// this step before says that a new step began.
  struct Update {
    Id optimizer = nullptr;            ///< null for one that nothing announced
    std::span<const Id> parameters{};  ///< empty where they are not known: the optimizer's id stands for them
    bool skipped = false;
  };
  /// Returns finished segments whose step is another one than was thought; each once.
  std::vector<Segment> updated(const Update& update, std::int64_t now_ns);
  /// The update of the current segment, if there was one, goes on with these.
  void updates_also(std::span<const Id> parameters);
  /// An update of the current segment turns out to have been skipped inside the optimizer's kernel.
  void update_was_skipped() { current_.skipped = true; }
  void backward_op() { current_has_backward_ = true; }
  void op_ended(std::int64_t now_ns) {
    if (!current_updated_) current_.end_ns = now_ns;
  }
  /// Adds time of ampprof's own to the current segment. What comes between its last update and the next segment is of
  /// none: its end was before.
  void add_overhead(std::int64_t ns) { (current_updated_ ? overhead_since_end_ : current_.overhead_ns) += ns; }
  void set_recorded(bool recorded) { current_.recorded = recorded; }

  const Segment& current() const { return current_; }
  /// Returns true between a backward pass and the update that it is for.
  bool awaits_update() const { return current_has_backward_ && !current_updated_; }
  /// Returns, after an update, whether most likely it was the last of its step, so that what comes before the next op
  /// (a batch that is loaded and cast) is for the step after it.
  bool is_step_over() const;
  /// Returns the step that the current segment will most likely turn out to belong to.
  std::int64_t expected_step() const;

 private:
  Segment finish(std::int64_t now_ns);
  void begin_step();
  std::vector<Segment> count_steps_from_here();

  StepNumbers& numbers_;
  Segment current_;
  std::int64_t overhead_since_end_ = 0;  ///< of ampprof's, since the last update of the current segment
  bool current_updated_ = false;
  bool current_has_backward_ = false;
  bool explicit_steps_ = false;
  Id inference_module_ = nullptr;   ///< the module that began the current segment, if it is one of inference
  std::set<Id> inference_modules_;  ///< called in it so far
  std::optional<std::int32_t> inference_position_;
  std::set<Id> updated_in_step_;               ///< parameters, and optimizers whose parameters are not known
  std::vector<Segment> before_training_;       ///< finished, with a step, before any update
  std::int32_t updating_segments_ = 0;         ///< of this step
  std::int32_t updating_segments_before_ = 1;  ///< of the step before
};

/// Returns the tracker's current segment with the step and position that it will most likely turn out to have.
Segment expected_segment(const StepTracker& tracker);

}  // namespace ampprof::profiler
