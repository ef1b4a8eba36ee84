// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/step_tracker.h"

namespace ampprof::profiler {

StepTracker::StepTracker(std::int64_t now_ns) {
  current_.id = 1;
  current_.start_ns = current_.end_ns = now_ns;
  current_updated_ = true;  // what comes before the first forward op is a segment of its own, of step 0
}

Segment StepTracker::finish(std::int64_t now_ns) {
  const Segment finished = current_;
  current_ = {.id = finished.id + 1,
              .step = finished.step,
              .position = finished.position + 1,
              .start_ns = now_ns,
              .end_ns = now_ns};
  if (finished.step == 0) begin_step();
  current_updated_ = current_has_backward_ = false;
  inference_module_ = nullptr;
  return finished;
}

void StepTracker::begin_step() {
  ++current_.step;
  current_.position = 0;
  updating_segments_before_ = updating_segments_ > 0 ? updating_segments_ : 1;
  updating_segments_ = 0;
  inference_position_ = -1;
  updated_in_step_.clear();
}

std::optional<Segment> StepTracker::forward_op(std::int64_t now_ns) {
  if (!ends_with_forward_op()) return std::nullopt;
  return finish(now_ns);
}

std::optional<Segment> StepTracker::inference_module_entered(Id module, std::int64_t now_ns) {
  const bool repeats = inference_module_ == module;
  if (!repeats && !(current_updated_ && inference_module_ == nullptr)) return std::nullopt;
  const bool inference_only = updated_in_step_.empty() && updating_segments_ == 0;
  const bool first = current_.step == 0;
  const Segment finished = finish(now_ns);
  inference_module_ = module;
  if (inference_only && !first && !explicit_steps_) begin_step();
  // Batches of one evaluation are the same call sites, so they share a position.
  if (inference_position_ < 0) inference_position_ = current_.position;
  current_.position = inference_position_;
  return finished;
}

std::optional<Segment> StepTracker::step_ended(std::int64_t now_ns) {
  explicit_steps_ = true;
  const bool first = current_.step == 0;
  const Segment finished = finish(now_ns);
  if (!first) begin_step();
  return finished;
}

void StepTracker::updated(Id optimizer, bool skipped, std::int64_t now_ns) {
  if (!explicit_steps_ && current_.step > 0 && !current_updated_ && updated_in_step_.contains(optimizer)) begin_step();
  if (!current_updated_) ++updating_segments_;
  updated_in_step_.insert(optimizer);
  last_updated_ = optimizer;
  current_updated_ = true;
  current_.skipped = current_.skipped || skipped;
  current_.end_ns = now_ns;
}

void StepTracker::op_ended(std::int64_t now_ns) {
  if (!current_updated_) current_.end_ns = now_ns;
}

bool StepTracker::is_step_over() const {
  return current_updated_ && !explicit_steps_ && updating_segments_ >= updating_segments_before_;
}

std::int64_t StepTracker::expected_step() const {
  if (current_.step == 0) return 1;
  if (current_updated_ || explicit_steps_ || inference_module_ != nullptr) return current_.step;
  return updating_segments_ >= updating_segments_before_ ? current_.step + 1 : current_.step;
}

}  // namespace ampprof::profiler
