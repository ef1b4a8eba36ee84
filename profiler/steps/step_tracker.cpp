// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/step_tracker.h"

#include <algorithm>
#include <utility>

namespace ampprof::profiler {
namespace {

// A program that infers for longer than this before it trains keeps its steps of inference.
constexpr std::size_t kMostBeforeTraining = 4096;

}  // namespace

StepTracker::StepTracker(StepNumbers& numbers, std::int64_t now_ns) : numbers_(numbers) {
  current_.id = ++numbers_.segments;
  current_.start_ns = current_.end_ns = now_ns;
  current_updated_ = true;  // what comes before the first forward op is a segment of its own, of step 0
}

Segment StepTracker::finish(std::int64_t now_ns) {
  const Segment finished = current_;
  if (!numbers_.trains && finished.step > 0 && before_training_.size() <= kMostBeforeTraining) {
    before_training_.push_back(finished);
  }
  current_ = {.id = ++numbers_.segments,
              .step = finished.step,
              .position = finished.position + 1,
              .start_ns = now_ns,
              .end_ns = now_ns};
  if (finished.step == 0) begin_step();
  current_updated_ = current_has_backward_ = false;
  overhead_since_end_ = 0;
  inference_module_ = nullptr;
  inference_modules_.clear();
  return finished;
}

void StepTracker::begin_step() {
  current_.step = ++numbers_.steps;
  current_.position = 0;
  updating_segments_before_ = std::max(updating_segments_, 1);
  updating_segments_ = 0;
  inference_position_.reset();
  updated_in_step_.clear();
}

std::optional<Segment> StepTracker::forward_op(std::int64_t now_ns) {
  if (!ends_with_forward_op()) return std::nullopt;
  return finish(now_ns);
}

std::optional<Segment> StepTracker::inference_module_entered(Id module, std::int64_t now_ns) {
  const bool repeats = inference_modules_.contains(module);
  if (inference_module_ != nullptr) inference_modules_.insert(module);
  if (!repeats && !(current_updated_ && inference_module_ == nullptr)) return std::nullopt;
  const bool inference_only = updating_segments_ == 0;
  const bool first = current_.step == 0;
  const Segment finished = finish(now_ns);
  inference_module_ = module;
  inference_modules_ = {module};
  if (inference_only && !first && !explicit_steps_) begin_step();
  // Batches of one evaluation are the same call sites, so they share a position.
  if (!inference_position_) inference_position_ = current_.position;
  current_.position = *inference_position_;
  return finished;
}

std::optional<Segment> StepTracker::step_ended(std::int64_t now_ns) {
  explicit_steps_ = true;
  const bool first = current_.step == 0;
  const Segment finished = finish(now_ns);
  if (!first) begin_step();
  return finished;
}

// What came before the first update of a run prepared it: a model was looked at, or validated.
std::vector<Segment> StepTracker::count_steps_from_here() {
  std::vector<Segment> renumbered;
  if (before_training_.size() <= kMostBeforeTraining && current_.step > 1) {
    for (Segment& segment : before_training_) segment.step = segment.step == current_.step ? 1 : 0;
    renumbered = std::move(before_training_);
    numbers_.steps = current_.step = 1;
  }
  before_training_.clear();
  return renumbered;
}

void StepTracker::updates_also(std::span<const Id> parameters) {
  if (current_updated_) updated_in_step_.insert(parameters.begin(), parameters.end());
}

std::vector<Segment> StepTracker::updated(const Update& update, std::int64_t now_ns) {
  const std::span<const Id> parameters =
      update.parameters.empty() ? std::span(&update.optimizer, 1) : update.parameters;
  // An optimizer that had skipped all its updates is known by its parameters from now on.
  const bool is_known = update.optimizer != nullptr && updated_in_step_.erase(update.optimizer) > 0;
  if (is_known) updated_in_step_.insert(parameters.front());
  std::vector<Segment> renumbered;
  if (!std::exchange(numbers_.trains, true) && !explicit_steps_) renumbered = count_steps_from_here();
  const bool is_repeated = std::ranges::any_of(parameters, [&](Id id) { return updated_in_step_.contains(id); });
  if (!explicit_steps_ && !current_updated_ && is_repeated) begin_step();
  if (!current_updated_) ++updating_segments_;
  updated_in_step_.insert(parameters.begin(), parameters.end());
  current_updated_ = true;
  current_.skipped = current_.skipped || update.skipped;
  current_.end_ns = now_ns;
  current_.overhead_ns += std::exchange(overhead_since_end_, 0);
  return renumbered;
}

bool StepTracker::is_step_over() const {
  return current_updated_ && !explicit_steps_ && updating_segments_ >= updating_segments_before_;
}

std::int64_t StepTracker::expected_step() const {
  if (current_.step == 0) return 1;
  if (current_updated_ || explicit_steps_ || inference_module_ != nullptr) return current_.step;
  return updating_segments_ >= updating_segments_before_ ? numbers_.steps + 1 : current_.step;
}

Segment expected_segment(const StepTracker& tracker) {
  Segment segment = tracker.current();
  if (segment.step == 0 || tracker.expected_step() == segment.step) return segment;
  segment.step = tracker.expected_step();
  segment.position = 0;
  return segment;
}

}  // namespace ampprof::profiler
