// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/guarded_state.h"

#include "profiler/recorder/run_clock.h"

namespace ampprof::profiler {

Locked::Locked(GuardedState& guarded) : lock_(guarded.mutex_), state_(guarded.state_) { guarded.take_up(); }

void GuardedState::take_up() {
  const std::int64_t end_ns = last_end_ns_.load(std::memory_order_relaxed);
  if (end_ns != known_end_ns_) {
    known_end_ns_ = end_ns;
    state_.loops.op_ended(end_ns);
  }
  const std::int64_t overhead_ns = clock_.overhead_ns();
  state_.loops.first().steps.add_overhead(overhead_ns - known_overhead_ns_);
  known_overhead_ns_ = overhead_ns;
}

}  // namespace ampprof::profiler
