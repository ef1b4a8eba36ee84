// SPDX-License-Identifier: Apache-2.0
// What an AMP engine or a GradScaler decides, and the overflows that it sees.

#include <torch/types.h>

#include "profiler/calls/call.h"
#include "profiler/observer/session.h"

namespace ampprof::profiler {

void Session::loss_seen(int loss_id, double value, double scale) {
  const auto lock = locked();
  scale_ = scale;
  loss_id_ = loss_id;
  const LossValue loss{
      .segment = course_of(ThreadState::current()).steps.current().id, .loss_id = loss_id, .value = value};
  recorder_.add([&](Batch& batch) { batch.losses.push_back(loss); });
}

void Session::scale_in_force(std::optional<double> scale) {
  const auto lock = locked();
  scale_ = scale;
}

void Session::scale_updated(int loss_id, double before, double after, bool overflow, bool skipped) {
  const auto lock = locked();
  const ScaleUpdate update{.segment = course_of(ThreadState::current()).steps.current().id,
                           .loss_id = loss_id,
                           .scale_before = before,
                           .scale_after = after,
                           .overflow = overflow,
                           .skipped = skipped};
  recorder_.add([&](Batch& batch) { batch.scale_updates.push_back(update); });
  trace_.clear();
}

OverflowEvent Session::event_of_trace() {
  const auto lock = locked();
  complete_late_calls();
  OverflowEvent event;
  if (const auto origin = trace_.origin()) event.first_site = origin->call_site;
  if (const auto scale = trace_.largest_safe_scale()) {
    event.largest_safe_scale = scale->value;
    event.largest_safe_scale_is_bound = scale->is_bound;
  }
  event.chain = trace_.chain();
  return event;
}

void Session::overflowed(OverflowEvent event) {
  const auto lock = locked();
  trace_.clear();
  event.segment = course_of(ThreadState::current()).steps.current().id;
  recorder_.add([&](Batch& batch) { batch.events.push_back(std::move(event)); });
}

void Session::gradients_unscaled(const at::Tensor& first_gradient, std::optional<double> scale) {
  const auto lock = locked();
  Course& course = course_of(ThreadState::current());
  if (const auto leaf = course.leaves.owner_of(first_gradient.unsafeGetTensorImpl())) course.unscaled.insert(leaf);
  if (scale) unscaled_by_ = scale;
}

void Session::scaler_decided(const void* scaler, double before, double after, bool overflow) {
  const auto lock = locked();
  scalers_[scaler] = after;
  for (const OpenPass& pass : std::vector(open_passes_)) {
    const bool is_own = pass.factor.tensor == scaler;
    const bool is_nobodys = scalers_.size() == 1 && pass.factor.tensor == nullptr;
    if (is_own || is_nobodys) scale_of_pass(pass.id, before);
  }
  ThreadState& thread = ThreadState::current();
  Course& course = course_of(thread);
  const auto left_out = std::exchange(course.unscaled, {});
  if (!overflow) return;
  if (left_out.empty() && course.steps.awaits_update()) updated(thread, nullptr, {nullptr}, /*skipped=*/true);
  if (left_out.empty()) course.steps.update_was_skipped();  // its kernel left it out
  for (const GradientLeaves::Identity leaf : left_out) updated(thread, nullptr, {leaf}, /*skipped=*/true);
}

}  // namespace ampprof::profiler
