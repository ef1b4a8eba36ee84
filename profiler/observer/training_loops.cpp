// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/training_loops.h"

#include <algorithm>

#include "profiler/calls/thread_state.h"
#include "profiler/torch_hooks/backward_pass.h"
#include "profiler/torch_hooks/torch_state.h"
#include "reports/records/batch.h"

namespace ampprof::profiler {

TrainingLoops::TrainingLoops() { loops_.push_back(std::make_unique<TrainingLoop>(0, numbers_, 0)); }

TrainingLoop& TrainingLoops::of(const ThreadState& thread) {
  // The backward of a device runs on a thread of the autograd engine, so the loop is taken from the pass.
  if (const BackwardPass* pass = current_pass(); pass != nullptr && pass->loop != nullptr) return *pass->loop;
  return thread.loop == nullptr ? first() : *thread.loop;
}

TrainingLoop& TrainingLoops::of_pass_on(ThreadState& thread, const std::vector<BackwardRoot>& roots,
                                        std::int64_t now_ns) {
  TrainingLoop& loop = of(thread);
  if (loop.owner < 0) loop.owner = thread.number;
  if (loop.owner == thread.number) thread.loop = &loop;
  if (thread.loop == &loop) return loop;
  for (const c10::TensorImpl* leaf : leaves_below(roots)) {
    const auto known = std::ranges::find_if(loops_, [&](const auto& each) { return each->leaves.knows(*leaf); });
    if (known == loops_.end()) continue;
    thread.loop = known->get();
    thread.loop->owner = thread.number;
    return *thread.loop;
  }
  return add_loop(thread, now_ns);
}

TrainingLoop& TrainingLoops::add_loop(ThreadState& thread, std::int64_t now_ns) {
  loops_.push_back(std::make_unique<TrainingLoop>(static_cast<int>(loops_.size()), numbers_, now_ns));
  thread.loop = loops_.back().get();
  thread.loop->owner = thread.number;
  return *thread.loop;
}

TrainingLoop& TrainingLoops::of_update_on(ThreadState& thread, std::int64_t now_ns) {
  TrainingLoop& loop = of(thread);
  if (loop.owner < 0) loop.owner = thread.number;
  if (loop.owner == thread.number || thread.loop == &loop || inside_backward()) return loop;
  return add_loop(thread, now_ns);
}

namespace {

void add_optimizers(const TrainingLoop& loop, Batch& batch) {
  constexpr std::int64_t kMostOfLoop = 1 << 20;
  for (std::size_t i = 0; i < loop.optimizers.all().size(); ++i) {
    const OptimizerUpdates::Counts& counts = loop.optimizers.all()[i];
    batch.optimizers.push_back({.id = loop.number * kMostOfLoop + static_cast<std::int64_t>(i) + 1,
                                .parameter = loop.names_of_optimizers[i],
                                .parameters = counts.leaves,
                                .updates = counts.done,
                                .skipped = counts.skipped});
  }
}

}  // namespace

void TrainingLoops::add_progress_to(Batch& batch) const {
  for (const auto& loop : loops_) add_optimizers(*loop, batch);
  // With several loops, later segments may finish before this one, so its row already gets the expected step number.
  for (const auto& loop : loops_) {
    batch.segments.push_back(loops_.size() > 1 ? expected_segment(loop->steps) : loop->steps.current());
  }
}

}  // namespace ampprof::profiler
