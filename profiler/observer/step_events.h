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

/// Handles events of optimizers and steps from the hooks and the AMP engine. Thread-safe.
class StepEvents {
 public:
  StepEvents(SessionCore& core, Segments& segments) : core_(core), segments_(segments) {}

  /// Handles a backward pass that is about to begin. If the loss was computed between two steps from the graph of the
  /// previous step, a step begins here.
  void backward_begins();
  /// Handles an optimizer's step() that begins or ends on this thread. Calls nest. `skipped`: the optimizer did not
  /// update.
  void optimizer_begun(preload::OptimizerStepKind kind = preload::OptimizerStepKind::Updates);
  void optimizer_ended(const void* optimizer, bool skipped);
  /// Ends the step, when the program announces its end.
  void step_ended();

 private:
  void end_update(const Locked& state, ThreadState& thread, const void* optimizer,
                  const std::vector<const void*>& leaves, bool skipped);

  SessionCore& core_;
  Segments& segments_;
  std::atomic<std::int64_t> optimizer_calls_{0};
};

}  // namespace ampprof::profiler
