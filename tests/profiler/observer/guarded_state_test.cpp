// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/guarded_state.h"

#include <gtest/gtest.h>

#include <memory>
#include <type_traits>

namespace ampprof::profiler {
namespace guarded_state_test {

// Only a Locked gives access to the state, and only a GuardedState can make a Locked.
static_assert(!std::is_copy_constructible_v<Locked> && !std::is_default_constructible_v<Locked>);

TEST(GuardedState, TakesUpValuesLeftWithoutTheLockWhenItIsLocked) {
  RunClock clock;
  const auto guarded = std::make_unique<GuardedState>(clock);
  (void)Locked(*guarded)->loops.first().steps.forward_op(1);
  guarded->leave_end(9);
  clock.add_overhead(7);
  for (int i = 0; i < 2; ++i) {
    const Locked state(*guarded);
    EXPECT_EQ(state->loops.first().steps.current().end_ns, 9);
    EXPECT_EQ(state->loops.first().steps.current().overhead_ns, 7) << "once";
  }
}

}  // namespace guarded_state_test
}  // namespace ampprof::profiler
