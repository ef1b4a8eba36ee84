// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "precision/tensors/deferred_reductions.h"
#include "profiler/calls/stage.h"
#include "profiler/impact/rounded_inputs.h"
#include "profiler/observer/gpu_activities.h"
#include "profiler/observer/guarded_state.h"
#include "profiler/observer/nvtx_ranges.h"
#include "profiler/overflow/nonfinite_memory.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/recorder/recorder.h"
#include "profiler/recorder/resident_memory.h"
#include "profiler/recorder/run_clock.h"
#include "profiler/replays/step_replays.h"

namespace ampprof::tensors {
class DeviceMemoryBudget;
}

namespace ampprof::profiler {

class CastChange;
class DriftTracker;
class GradientReplays;

/// Holds the objects that the parts of a session share. All members may be used without the session's lock: each is
/// thread-safe itself, or does not change once the session has begun. lock() gives access to the guarded state. Never
/// freed.
struct SessionCore {
  /// Throws if recording is impossible.
  explicit SessionCore(const recording::Options& asked);
  ~SessionCore();

  Locked lock() { return Locked(state); }
  const recording::Options options;
  RunClock clock;
  MissingNotes missing;
  RunAttach attach;  ///< the report's row about the process; updated when an engine starts and at the end
  const StepReplays replays;
  Recorder recorder;
  GpuActivities gpu{clock, missing};
  NvtxRanges ranges;
  tensors::DeferredReductions results{options.pending_on_cpu};
  const std::unique_ptr<tensors::DeviceMemoryBudget> memory_budget;  ///< limits copies on GPUs
  NonfiniteTrace trace;
  NonfiniteMemory nonfinite_memory;
  RoundedInputs rounded_inputs;
  const std::unique_ptr<CastChange> casts;  ///< the policy that `ampprof ctl` has set
  ResidentPeak memory;
  ResidentPeak gpu_memory;                            ///< peak memory of the program on the GPU where it uses most
  std::unique_ptr<GradientReplays> gradient_replays;  ///< null without --impact
  std::unique_ptr<DriftTracker> drift;                ///< null without --inherited
  std::vector<std::unique_ptr<Stage>> stages;
  std::atomic<bool> has_engine{false};  ///< the program has an AMP engine of amp_core
  std::atomic<bool> is_over{false};
  GuardedState state;
};

/// Returns whether to record the calls of step number `step`, which begins at `now_ns`.
bool records(const SessionCore& core, TrainingLoop& loop, std::int64_t step, std::int64_t now_ns);

}  // namespace ampprof::profiler
