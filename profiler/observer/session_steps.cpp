// SPDX-License-Identifier: Apache-2.0
// Where segments end, what is recorded of them, and where a shadow begins.

#include "precision/shadow/shadow.h"
#include "profiler/observer/call.h"
#include "profiler/observer/session.h"

namespace ampprof::profiler {

void Session::finish_segment(const std::optional<Segment>& finished) {
  if (!finished) return;
  complete_late_calls();
  recorder_.add([&](Batch& batch) {
    batch.segments.push_back(*finished);
    take_impacts(batch);
  });
  if (gpu_) recorder_.write_soon();  // what GPUs did is collected before each write
  decide_recording();
  mark_step();
  // An optimizer that nothing announced, or a step that does not end with an update.
  if (steps_.expected_step() != finished->step && shadow_restarted_in_ != finished->id) restart_shadow();
}

void Session::decide_recording() {
  steps_.set_recorded(options_.records(steps_.expected_step(), steps_.current().start_ns));
  deep_ = options_.goes_deep(steps_.expected_step());
}

// What a program does between an update and the next step prepares that step: the rounding of its batch, say.
bool Session::is_recorded() const {
  if (steps_.current().recorded) return true;
  const bool prepares = options_.impact && steps_.is_step_over();
  return prepares && options_.records(steps_.current().step + 1, now_ns());
}

void Session::take_impacts(Batch& batch) {
  // Where nobody scales losses, nothing has to be divided.
  if (!has_engine_ && !has_grad_scaler_) impacts_.scale_was(1.0);
  for (LossImpact& impact : impacts_.take()) batch.impacts.push_back(std::move(impact));
}

// A shadow begins where the step before it ended, so that it sees the batch being cast. Before the first step it waits
// for the engine: until then there are no types to follow.
bool Session::is_followed() const {
  if (!shadow_) return false;
  const std::int64_t now = now_ns();
  const Segment& current = steps_.current();
  const auto is_wanted = [&](std::int64_t step) { return options_.records(step, now) && options_.goes_deep(step); };
  if (current.step == 0) return has_engine() && is_wanted(1);
  if (steps_.is_step_over()) return is_wanted(current.step + 1);
  return current.recorded && options_.goes_deep(steps_.expected_step());
}

void Session::restart_shadow() {
  if (shadow_) shadow_->memory().clear();
  shadow_restarted_in_ = steps_.current().id;
}

void Session::advance_segment(const BareCall& call, const ArgumentsSeen& arguments) {
  if (call.phase == Phase::Backward) steps_.backward_op();
  const bool makes_graph = call.phase == Phase::Forward && arguments.has_grad && call.info.returns_tensor &&
                           !call.info.writes_first && call.info.name != "detach";
  if (makes_graph && steps_.ends_with_forward_op()) finish_segment(steps_.forward_op(now_ns()));
}

void Session::take_what_is_in_progress(Batch& batch) {
  batch.segments.push_back(steps_.current());
  if (calls_without_site_ > 0) {
    batch.missing.push_back({.what = "call sites",
                             .count = std::exchange(calls_without_site_, 0),
                             .cause = "one op was called more than 4096 times in one module within one step",
                             .remedy = "these calls count at the last call site of that op; ampprof::step() says where "
                                       "steps end"});
  }
  for (auto& [key, missing] : missing_) batch.missing.push_back(std::move(missing));
  missing_.clear();
}

}  // namespace ampprof::profiler
