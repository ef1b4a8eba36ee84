// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "profiler/preload/hooks.h"

namespace ampprof::profiler {

class Locked;
class Segments;
struct SessionCore;
struct ThreadState;

/// Takes what the hooks and the AMP engine tell of optimizers and steps. Thread-safe.
class StepEvents {
 public:
  StepEvents(SessionCore& core, Segments& segments) : core_(core), segments_(segments) {}

  /// A backward pass is about to begin. It may be of a loss that was made of the graph of the step before alone.
  void backward_begins();
  /// A step() begins or ends on this thread; they nest. `skipped`: it did not update.
  void optimizer_begun(preload::OptimizerStepKind kind = preload::OptimizerStepKind::Updates);
  void optimizer_ended(const void* optimizer, bool skipped);
  /// The program says that a step ends here.
  void step_ended();

 private:
  void end_update(const Locked& state, ThreadState& thread, const void* optimizer,
                  const std::vector<const void*>& leaves, bool skipped);

  SessionCore& core_;
  Segments& segments_;
  std::atomic<std::int64_t> optimizer_calls_{0};
};

}  // namespace ampprof::profiler
