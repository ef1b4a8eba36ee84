// SPDX-License-Identifier: Apache-2.0
// Where segments end, what is recorded of them, and where a shadow begins.

#include "precision/shadow/shadow.h"
#include "profiler/calls/call.h"
#include "profiler/faults/guarded.h"
#include "profiler/observer/session.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {

Course& Session::course_of(const ThreadState& thread) {
  // A device's backward runs on a thread of the engine.
  if (const BackwardPass* pass = current_pass(); pass != nullptr && pass->course != nullptr) return *pass->course;
  return thread.course == nullptr ? first_course() : *thread.course;
}

/// The first thread that updates owns the first course; any other that does has a training of its own.
Course& Session::course_of_updates_on(ThreadState& thread) {
  Course& course = course_of(thread);
  if (course.owner < 0) course.owner = thread.number;
  if (course.owner == thread.number || inside_backward()) return course;
  courses_.push_back(std::make_unique<Course>(static_cast<int>(courses_.size()), numbers_, now_ns()));
  thread.course = courses_.back().get();
  thread.course->owner = thread.number;
  finish_segment(*thread.course, thread.course->steps.forward_op(now_ns()));
  return *thread.course;
}

void Session::finish_segment(Course& course, const std::optional<Segment>& finished) {
  if (!finished) return;
  complete_late_calls();
  settle_open_passes(Settle::Ended);
  if (finished->step > 0) steps_ns_ += finished->end_ns - finished->start_ns;
  course.leaves.clear();
  functions_.clear();
  recorder_.add([&](Batch& batch) {
    batch.segments.push_back(*finished);
    take_impacts(batch);
  });
  if (gpu_) recorder_.write_soon();  // what GPUs did is collected before each write
  decide_recording(course);
  mark_step();
  // An optimizer that nothing announced, or a step that does not end with an update.
  const bool is_other_step = course.steps.expected_step() != finished->step;
  if (is_other_step && course.shadow_restarted_in != finished->id) restart_shadow(course);
}

void Session::decide_recording(Course& course) {
  StepTracker& steps = course.steps;
  steps.set_recorded(options_.records(steps.expected_step(), steps.current().start_ns));
  const bool goes_deep = options_.goes_deep(steps.expected_step());
  course.deep = goes_deep && !recorder_.is_full();
  if (goes_deep == course.deep || !(options_.impact || options_.inherited)) return;
  note_missing("inherited error and loss impact of steps", "the report reached its largest size",
               "raise --max-report, or record fewer steps with --steps or --every");
}

// What a program does between an update and the next step prepares that step: the rounding of its batch, say.
bool Session::is_recorded(const Course& course) const {
  if (course.steps.current().recorded) return true;
  const bool prepares = options_.impact && course.steps.is_step_over();
  return prepares && options_.records(course.steps.current().step + 1, now_ns());
}

void Session::take_impacts(Batch& batch) {
  for (LossImpact& impact : impacts_.take()) batch.impacts.push_back(std::move(impact));
}

// A shadow begins where the step before it ended, so that it sees the batch being cast. Before the first step it waits
// for the engine: until then there are no types to follow.
bool Session::is_followed(const Course& course) const {
  if (!shadow_ || recorder_.is_full()) return false;
  const std::int64_t now = now_ns();
  const Segment& current = course.steps.current();
  const auto is_wanted = [&](std::int64_t step) { return options_.records(step, now) && options_.goes_deep(step); };
  if (current.step == 0) return has_engine() && is_wanted(1);
  if (course.steps.is_step_over()) return is_wanted(current.step + 1);
  return current.recorded && options_.goes_deep(course.steps.expected_step());
}

void Session::restart_shadow(Course& course) {
  if (shadow_) shadow_->memory().clear();
  course.shadow_restarted_in = course.steps.current().id;
}

void Session::advance_segment(const BareCall& call, const ArgumentsSeen& arguments) {
  Course& course = *call.course;
  if (call.phase == Phase::Backward) {
    const BackwardPass* pass = current_pass();
    if (pass == nullptr || pass->is_of_loss) course.steps.backward_op();
    if (const auto* leaf = accumulated_parameter()) course.leaves.add(*leaf);
  }
  const bool makes_graph = call.phase == Phase::Forward && arguments.has_grad && call.info.returns_tensor &&
                           !call.info.writes_first && call.info.name != "detach";
  if (makes_graph && course.steps.ends_with_forward_op()) finish_segment(course, course.steps.forward_op(now_ns()));
}

/// An optimizer that nothing announces writes to leaves, or to their memory, after a backward pass.
void Session::notice_update(const BareCall& call, const ArgumentsSeen& arguments) {
  const Leaves leaves = leaves_written(call, arguments);
  if (leaves.empty()) return;
  ThreadState& thread = call.thread;
  if (!thread.optimizer_steps.empty()) {
    auto& written = thread.optimizer_steps.back().leaves;
    written.insert(written.end(), leaves.begin(), leaves.end());
  } else if (thread.has_gradients && !inside_backward()) {
    updated(thread, nullptr, leaves, /*skipped=*/false);
  } else {
    call.course->steps.updates_also(leaves);
  }
}

Session::Leaves Session::leaves_written(const BareCall& call, const ArgumentsSeen& arguments) const {
  Leaves leaves;
  if (arguments.written == nullptr || inside_backward()) return leaves;
  const GradientLeaves& known = call.course->leaves;
  // One whose gradient autograd::grad() made is not among these.
  const bool writes_leaf = arguments.writes_leaf && !c10::GradMode::is_enabled();
  if (!writes_leaf && known.leaf_of(arguments.written) == nullptr) return leaves;
  for_each_tensor(call.arguments().slice(0, 1), [&](const at::Tensor& tensor) {
    const auto leaf = GradientLeaves::identity_of(*tensor.unsafeGetTensorImpl());
    if (leaf != nullptr) leaves.push_back(leaf);
  });
  return leaves;
}

/// An optimizer is known by the leaves that it writes, since programs may make a new one for each step. Where it has
/// skipped all updates so far, it is known by itself.
Session::Leaves Session::leaves_of(Course& course, const void* optimizer, const Leaves& written) {
  if (optimizer == nullptr) return written;
  const auto known = course.leaf_of_optimizer.find(optimizer);
  const bool is_known = known != course.leaf_of_optimizer.end();
  if (written.empty()) return {is_known ? known->second : optimizer};
  if (!is_known) course.steps.rename(optimizer, written.front());
  constexpr std::size_t kManyOptimizers = 1024;  // a program that makes them anew
  if (course.leaf_of_optimizer.size() > kManyOptimizers) course.leaf_of_optimizer.clear();
  course.leaf_of_optimizer[optimizer] = written.front();
  return written;
}

void Session::updated(ThreadState& thread, const void* optimizer, const Leaves& leaves, bool skipped) {
  Course& course = course_of_updates_on(thread);
  const Leaves names = leaves_of(course, optimizer, leaves);
  for (const auto leaf : names) course.unscaled.erase(leaf);
  course.steps.updated(names, skipped, now_ns());
  thread.awaits_update = thread.has_gradients = false;
  for (Segment& segment : course.steps.take_renumbered()) {
    recorder_.add([&](Batch& batch) { batch.segments.push_back(segment); });
  }
}

void Session::take_what_is_in_progress(Batch& batch) {
  // Of several courses a later segment may be finished before this one: then its place must be the right one already.
  for (const auto& course : courses_) {
    batch.segments.push_back(courses_.size() > 1 ? course->steps.expected() : course->steps.current());
  }
  if (calls_without_site_ > 0) {
    batch.missing.push_back({.what = "call sites",
                             .count = std::exchange(calls_without_site_, 0),
                             .cause = "one op was called more than 4096 times in one module within one step",
                             .remedy = "these calls count at the last call site of that op; ampprof::step() says where "
                                       "steps end"});
  }
  for (Missing& fault : take_faults()) batch.missing.push_back(std::move(fault));
  for (auto& [key, missing] : missing_) batch.missing.push_back(std::move(missing));
  missing_.clear();
}

}  // namespace ampprof::profiler
