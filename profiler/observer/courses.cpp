// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/courses.h"

#include "profiler/calls/thread_state.h"
#include "profiler/torch_hooks/backward_pass.h"
#include "profiler/torch_hooks/torch_state.h"
#include "reports/records/records.h"

namespace ampprof::profiler {

Courses::Courses() { courses_.push_back(std::make_unique<Course>(0, numbers_, 0)); }

Course& Courses::of(const ThreadState& thread) {
  // A device's backward runs on a thread of the engine.
  if (const BackwardPass* pass = current_pass(); pass != nullptr && pass->course != nullptr) return *pass->course;
  return thread.course == nullptr ? first() : *thread.course;
}

std::pair<Course&, bool> Courses::of_update_on(ThreadState& thread, std::int64_t now_ns) {
  Course& course = of(thread);
  if (course.owner < 0) course.owner = thread.number;
  if (course.owner == thread.number || inside_backward()) return {course, false};
  courses_.push_back(std::make_unique<Course>(static_cast<int>(courses_.size()), numbers_, now_ns));
  thread.course = courses_.back().get();
  thread.course->owner = thread.number;
  return {*thread.course, true};
}

void Courses::op_ended(std::int64_t now_ns) {
  for (const auto& course : courses_) course->steps.op_ended(now_ns);
}

void Courses::add_segments_to(Batch& batch) const {
  // Of several courses a later segment may be finished before this one: then its place must be the right one already.
  for (const auto& course : courses_) {
    batch.segments.push_back(courses_.size() > 1 ? expected_segment(course->steps) : course->steps.current());
  }
}

}  // namespace ampprof::profiler
