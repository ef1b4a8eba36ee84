// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "profiler/observer/course.h"

namespace ampprof {
struct Batch;
}

namespace ampprof::profiler {

struct ThreadState;

/// The program's trainings, of which the first one is always there. Not thread-safe; a course lives as long as these.
class Courses {
 public:
  Courses();

  Course& first() { return *courses_.front(); }
  /// Returns the course that this thread's calls are part of now.
  Course& of(const ThreadState& thread);
  /// Returns the course that an update on this thread is of, and whether it is new. The first thread that updates owns
  /// the first course; any other that does has a training of its own.
  std::pair<Course&, bool> of_update_on(ThreadState& thread, std::int64_t now_ns);

  /// An op call ended at `now_ns`, on whatever thread.
  void op_ended(std::int64_t now_ns);
  /// Returns whether an optimizer has updated.
  bool has_trained() const { return numbers_.trains; }
  /// Adds the segments in progress, as they will most likely turn out.
  void add_segments_to(Batch& batch) const;

 private:
  StepNumbers numbers_;
  std::vector<std::unique_ptr<Course>> courses_;  ///< never empty
};

}  // namespace ampprof::profiler
