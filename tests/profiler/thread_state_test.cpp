// SPDX-License-Identifier: Apache-2.0
#include "profiler/calls/thread_state.h"

#include <gtest/gtest.h>

#include <thread>

namespace ampprof::profiler {
namespace thread_state_test {

TEST(ThreadState, IsTheThreadsOwnAndItsNumberTellsThreadsApart) {
  ThreadState& own = ThreadState::current();
  const ThreadState* other = &own;
  std::int32_t number = own.number;
  std::thread([&] {
    other = &ThreadState::current();
    number = other->number;
  }).join();
  EXPECT_EQ(&ThreadState::current(), &own);
  EXPECT_NE(other, &own);
  EXPECT_NE(number, own.number);
}

}  // namespace thread_state_test
}  // namespace ampprof::profiler
