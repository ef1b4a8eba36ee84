// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/step_tracker.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ampprof::profiler {
namespace {

// Limit of segments before the first training step. If a program has more, they stay in their steps of inference
// instead of moving to step 0.
constexpr std::size_t kMostEarlySegments = 4096;
constexpr std::size_t kMostSegmentsOfStep = 4096;

/// Returns a substitute id for the leaves of an optimizer while they are unknown. Ids of real leaves are positive.
LeafId unknown_leaf_of(StepTracker::Id optimizer) { return -reinterpret_cast<std::intptr_t>(optimizer); }

}  // namespace

StepTracker::StepTracker(StepNumbers& numbers, GradientLives& lives, std::int64_t now_ns)
    : numbers_(numbers), lives_(lives), held_(numbers) {
  segment_.begin(++numbers_.segments, 0, 0, now_ns);
  // The time before the first forward op has its own segment, in step 0.
  segment_.updated(now_ns);
  is_settled_ = true;
}

Segment StepTracker::finish(std::int64_t now_ns) {
  const Segment finished = current();
  if (finished.step > 0) remember({finished, is_settled_, segment_.is_updated()});
  for (const Segment& stretch : held_.segment_ends(segment_, now_ns)) {
    if (finished.step > 0) remember({.segment = stretch});
  }
  segment_.begin(++numbers_.segments, finished.step, finished.position + 1, now_ns);
  is_settled_ = false;
  inference_module_ = nullptr;
  inference_modules_.clear();
  if (finished.step == 0) begin_step(current().id);
  return finished;
}

void StepTracker::remember(const Finished& finished) {
  const bool is_early = !numbers_.trains || !lives_.holds_any();
  if (is_early && early_.size() <= kMostEarlySegments) early_.push_back(finished.segment);
  if (finished_.size() < kMostSegmentsOfStep) finished_.push_back(finished);
}

StepTracker::Corrections StepTracker::take_corrections() {
  auto [segments, calls] = held_.take();
  // New segments of held calls come first, so that corrections of these segments are written later.
  std::ranges::move(corrections_.renumbered, std::back_inserter(segments));
  corrections_.renumbered = std::move(segments);
  corrections_.held = std::move(calls);
  return std::exchange(corrections_, {});
}

void StepTracker::end(std::int64_t now_ns) {
  if (is_settled_) finished_.push_back({current(), is_settled_, segment_.is_updated()});
  note_without_update(current().id + 1);
  const bool is_of_no_step = numbers_.trains && !is_settled_ && !explicit_steps_ && current().position > 0;
  if (is_of_no_step) segment_.set_place(0, 0);
  held_.program_ends(segment_, now_ns);
}

/// Marks the step that ends before `segment` as skipped if none of its segments has an update.
void StepTracker::note_without_update(std::int64_t segment) {
  const Segment* last = nullptr;
  for (const Finished& each : finished_) {
    if (each.segment.id >= segment) continue;
    if (each.is_updated) return;
    if (each.is_settled) last = &each.segment;
  }
  if (last == nullptr || skipped_.size() >= kMostEarlySegments) return;
  skipped_.push_back(*last);
  report_without_update();
}

void StepTracker::report_without_update() {
  if (!has_updated_) return;
  for (Segment& segment : std::exchange(skipped_, {})) {
    segment.skipped = true;
    if (segment.id == current().id) segment_.mark_skipped();
    corrections_.renumbered.push_back(segment);
  }
}

/// Begins a step with the current segment, or with a finished segment, whose step number is then corrected.
void StepTracker::begin_step(std::int64_t segment) {
  note_without_update(segment);
  const std::int64_t step = ++numbers_.steps;
  segment_.set_place(step, segment == current().id ? 0 : current().position);
  std::erase_if(finished_, [&](const Finished& each) { return each.segment.id < segment; });
  std::int32_t moved = is_settled_ ? 1 : 0;
  for (Finished& each : finished_) {
    each.segment.step = step;
    corrections_.renumbered.push_back(each.segment);
    moved += each.is_settled ? 1 : 0;
  }
  settled_segments_before_ = std::max(settled_segments_ - moved, 1);
  settled_segments_ = std::min(moved, settled_segments_);
  inference_position_.reset();
  step_ = {.segment = segment};
}

std::optional<Segment> StepTracker::forward_op(std::int64_t now_ns, bool in_optimizer) {
  if (!ends_with_forward_op(in_optimizer)) return std::nullopt;
  return finish(now_ns);
}

std::optional<Segment> StepTracker::inference_module_entered(Id module, std::int64_t now_ns) {
  if (held_.is_open() && current().step > 0) return std::nullopt;
  const bool repeats = inference_modules_.contains(module);
  if (inference_module_ != nullptr) inference_modules_.insert(module);
  if (!repeats && !(is_settled_ && inference_module_ == nullptr)) return std::nullopt;
  const bool inference_only = settled_segments_ == 0;
  const bool first = current().step == 0;
  const Segment finished = finish(now_ns);
  inference_module_ = module;
  inference_modules_ = {module};
  if (inference_only && !first && !explicit_steps_) begin_step(current().id);
  // All batches of one evaluation have the same call sites, so they share a position in the step.
  if (!inference_position_) inference_position_ = current().position;
  segment_.set_place(current().step, *inference_position_);
  return finished;
}

std::optional<Segment> StepTracker::step_ended(std::int64_t now_ns) {
  explicit_steps_ = true;
  const bool first = current().step == 0;
  const Segment finished = finish(now_ns);
  if (!first) begin_step(current().id);
  return finished;
}

void StepTracker::pass_begun(std::int64_t pass, std::int32_t place, std::int64_t optimizer_call) {
  segment_.pass_begun();
  lives_.begin({.id = pass,
                .segment = current().id,
                .place = place,
                .optimizer_call = optimizer_call,
                .follows_claims = !step_.claims.empty()});
}

void StepTracker::leaves_held(std::span<const LeafId> leaves) {
  if (!lives_.holds_any() && !leaves.empty()) {
    if (lives_.attacked_inputs_of(leaves)) join_early_steps();
    early_.clear();
  }
  lives_.hold(leaves);
  take_claims();
}

/// Merges all steps so far into the first step, because they were adversarial attacks on inputs of that step.
void StepTracker::join_early_steps() {
  if (explicit_steps_ || early_.size() > kMostEarlySegments) return;
  skipped_.clear();
  for (Segment& segment : early_) {
    if (segment.step <= 1) continue;
    segment.step = 1;
    corrections_.renumbered.push_back(segment);
  }
  for (Finished& each : finished_) each.segment.step = 1;
  numbers_.steps = 1;
  segment_.set_place(1, current().position);
  // Forget which leaves the attack claimed, since they would look like leaves of another net.
  step_.first.clear();
  step_.later.clear();
  step_.later_segment = 0;
}

void StepTracker::settle() {
  if (!std::exchange(numbers_.trains, true) && !explicit_steps_) begin_training();
  if (!std::exchange(is_settled_, true)) ++settled_segments_;
  if (!explicit_steps_ && current().step > 0) held_.open();
}

/// Begins training at the first use of a gradient: the current step becomes step 1, and segments of earlier steps move
/// to step 0, because they set up or validated the model.
void StepTracker::begin_training() {
  // Nothing to correct if no earlier segment of this loop has a step, for example if another loop began training.
  if (early_.empty() || early_.size() > kMostEarlySegments || current().step <= 1) return;
  skipped_.clear();
  for (Segment& segment : early_) {
    segment.step = segment.step == current().step ? 1 : 0;
    corrections_.renumbered.push_back(segment);
  }
  for (Finished& each : finished_) each.segment.step = 1;
  numbers_.steps = 1;
  segment_.set_place(1, current().position);
}

void StepTracker::take_claims() {
  for (const Claim& claim : lives_.take_claims()) take(claim);
}

void StepTracker::take(const Claim& claim) {
  settle();
  if (!explicit_steps_ && is_claimed_again(claim)) begin_step_with(claim);
  optimizer_call_ = claim.pass.optimizer_call;
  add(claim);
}

bool StepTracker::is_claimed_again(const Claim& claim) const {
  const LeafPass& pass = claim.pass;
  if (pass.optimizer_call != 0 && pass.optimizer_call == optimizer_call_) return false;
  const auto found = step_.claims.find(claim.leaf);
  if (current().step == 0 || found == step_.claims.end() || found->second.pass == pass.id) return false;
  const ClaimedBy& before = found->second;
  const bool is_unknown = pass.place == 0 || before.place == 0;
  const bool is_same_place = is_unknown || pass.place == before.place || pass.place == before.first_place;
  return is_same_place || step_.updated.contains(claim.leaf);
}

void StepTracker::begin_step_with(const Claim& claim) {
  const bool are_two =
      step_.later_segment != 0 && !step_.first.contains(claim.leaf) && step_.later.contains(claim.leaf);
  std::vector<LeafId> of_pass;
  for (const auto& [leaf, by] : step_.claims) {
    if (by.pass == claim.pass.id) of_pass.push_back(leaf);
  }
  if (are_two) begin_step(step_.later_segment);
  if (claim.pass.segment > step_.segment || step_.pass == claim.pass.id) {
    begin_step(claim.pass.segment);
  } else {
    ++corrections_.joined;
    step_ = {.segment = step_.segment};
  }
  for (const LeafId leaf : of_pass) add({claim.pass, leaf});
}

void StepTracker::add(const Claim& claim) {
  const LeafPass& pass = claim.pass;
  const auto [place, is_new] = step_.claims.try_emplace(claim.leaf, ClaimedBy{.first_place = pass.place});
  place->second.pass = pass.id;
  place->second.place = pass.place;
  if (step_.pass == 0 && step_.claims.size() == 1) step_.pass = pass.id;
  if (step_.pass == pass.id) step_.first.insert(claim.leaf);
  const bool is_other = step_.pass != pass.id && !step_.first.contains(claim.leaf);
  if (is_other && step_.later_segment == 0 && pass.follows_claims && pass.segment > step_.segment) {
    step_.later_segment = pass.segment;
  }
  if (step_.later_segment != 0) step_.later.insert(claim.leaf);
}

void StepTracker::take_update(LeafId leaf, const Update& update) {
  if (!lives_.has_lived(leaf)) add({.pass = {}, .leaf = leaf});
  lives_.use(leaf);
  take_claims();
  if (!update.skipped) lives_.write(leaf);
  if (update.optimizer != nullptr) step_.updated.insert(leaf);
}

void StepTracker::updates_also(std::span<const LeafId> leaves) {
  for (const LeafId leaf : leaves) {
    lives_.write(leaf);
    if (segment_.is_updated() && !lives_.has_lived(leaf)) add({.pass = {}, .leaf = leaf});
  }
}

void StepTracker::updated(const Update& update, std::int64_t now_ns) {
  if (update.goes_on) return updates_also(update.leaves);
  // Counts leaves as held only if an optimizer updates them. A write that no optimizer announced may be an attack on an
  // input.
  if (update.optimizer != nullptr || update.skipped) leaves_held(update.leaves);
  // Further updates of a segment belong to the step of its first update.
  const bool may_begin_step = !explicit_steps_ && !segment_.is_updated();
  std::vector<LeafId> leaves(update.leaves.begin(), update.leaves.end());
  const LeafId unknown = unknown_leaf_of(update.optimizer);
  if (leaves.empty() && !is_settled_) {  // in a settled segment, the leaves are those whose gradients were used
    leaves = lives_.unused();
    if (leaves.empty()) leaves.push_back(unknown);
  }
  // If all earlier updates of this optimizer were skipped, a placeholder has its claim. The first leaf replaces the
  // placeholder.
  if (!leaves.empty() && step_.claims.erase(unknown) > 0) add({.pass = {}, .leaf = leaves.front()});
  settle();
  const auto is_claimed = [&](LeafId leaf) { return !lives_.has_lived(leaf) && step_.claims.contains(leaf); };
  if (may_begin_step && std::ranges::any_of(leaves, is_claimed)) begin_step(current().id);
  for (const LeafId leaf : leaves) take_update(leaf, update);
  segment_.updated(now_ns);
  if (update.skipped) return segment_.mark_skipped();
  segment_.mark_done();
  has_updated_ = true;
  report_without_update();
}

bool StepTracker::is_step_over() const {
  return segment_.is_updated() && !explicit_steps_ && settled_segments_ >= settled_segments_before_;
}

std::int64_t StepTracker::expected_step() const {
  if (current().step == 0) return 1;
  if (is_settled_ || explicit_steps_ || inference_module_ != nullptr) return current().step;
  return settled_segments_ >= settled_segments_before_ ? numbers_.steps + 1 : current().step;
}

std::int64_t next_step(const StepTracker& tracker) {
  return tracker.is_step_over() ? tracker.current().step + 1 : tracker.current().step;
}

Segment expected_segment(const StepTracker& tracker) {
  Segment segment = tracker.current();
  if (segment.step == 0 || tracker.expected_step() == segment.step) return segment;
  segment.step = tracker.expected_step();
  segment.position = 0;
  return segment;
}

}  // namespace ampprof::profiler
