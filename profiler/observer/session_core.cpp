// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/session_core.h"

#include <algorithm>

#include "precision/tensors/device_memory_budget.h"
#include "profiler/drift/drift_tracker.h"
#include "profiler/gradient_impact/gradient_replays.h"
#include "profiler/observer/cast_change.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {

SessionCore::SessionCore(const recording::Options& asked)
    : options(asked),
      attach(describe_torch(/*on_gpu=*/false)),
      replays(options),
      recorder(options.report, options.run, attach, Recorder::kInterval, options.max_bytes,
               std::max<std::size_t>(replays.size(), 1), options.ring),
      ranges(clock, missing),
      memory_budget(std::make_unique<tensors::DeviceMemoryBudget>()),
      casts(std::make_unique<CastChange>()),
      state(clock) {}

SessionCore::~SessionCore() = default;

bool records(const SessionCore& core, TrainingLoop& loop, std::int64_t step, std::int64_t now_ns) {
  return loop.choice.records(core.options, step, now_ns, core.clock.overhead_ns());
}

}  // namespace ampprof::profiler
