// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/device_memory_budget.h"

#include <gtest/gtest.h>

namespace ampprof::tensors {
namespace device_memory_budget_test {

TEST(DeviceMemoryBudget, LeavesTheProgramAsMuchAsItTakes) {
  EXPECT_TRUE(leaves_room({.free = 100}, 50));
  EXPECT_FALSE(leaves_room({.free = 100}, 51));
  EXPECT_TRUE(leaves_room({.free = 60, .cached = 40}, 50)) << "what the allocator keeps is the program's, too";
  EXPECT_TRUE(leaves_room({}, 0));
}

TEST(DeviceMemoryBudget, NeverCountsOnWhatTheAllocatorWouldHaveToGiveBack) {
  EXPECT_FALSE(leaves_room({.free = 10, .cached = 1000}, 11));
}

}  // namespace device_memory_budget_test
}  // namespace ampprof::tensors
