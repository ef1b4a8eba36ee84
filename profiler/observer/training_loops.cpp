// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/training_loops.h"

#include "profiler/calls/thread_state.h"
#include "profiler/torch_hooks/backward_pass.h"
#include "profiler/torch_hooks/torch_state.h"
#include "reports/records/batch.h"

namespace ampprof::profiler {

TrainingLoops::TrainingLoops() { loops_.push_back(std::make_unique<TrainingLoop>(0, numbers_, 0)); }

TrainingLoop& TrainingLoops::of(const ThreadState& thread) {
  // A device's backward runs on a thread of the engine.
  if (const BackwardPass* pass = current_pass(); pass != nullptr && pass->loop != nullptr) return *pass->loop;
  return thread.loop == nullptr ? first() : *thread.loop;
}

std::pair<TrainingLoop&, bool> TrainingLoops::of_update_on(ThreadState& thread, std::int64_t now_ns) {
  TrainingLoop& loop = of(thread);
  if (loop.owner < 0) loop.owner = thread.number;
  if (loop.owner == thread.number || inside_backward()) return {loop, false};
  loops_.push_back(std::make_unique<TrainingLoop>(static_cast<int>(loops_.size()), numbers_, now_ns));
  thread.loop = loops_.back().get();
  thread.loop->owner = thread.number;
  return {*thread.loop, true};
}

void TrainingLoops::add_segments_to(Batch& batch) const {
  // Of several loops a later segment may be finished before this one: then its place must be the right one already.
  for (const auto& loop : loops_) {
    batch.segments.push_back(loops_.size() > 1 ? expected_segment(loop->steps) : loop->steps.current());
  }
}

}  // namespace ampprof::profiler
