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

TEST(ThreadState, IsResetByEachSessionExceptItsNumber) {
  const std::int32_t number = ThreadState::current().number;
  ThreadState::current().scopes.push_back({.name = 1, .identity = nullptr, .call_group = 1});
  ThreadState::current().last_site = 7;
  ThreadState::forget_all();
  EXPECT_TRUE(ThreadState::current().scopes.empty());
  EXPECT_EQ(ThreadState::current().last_site, 0);
  EXPECT_EQ(ThreadState::current().number, number);
  ThreadState::current().last_site = 8;
  EXPECT_EQ(ThreadState::current().last_site, 8) << "until the next one";
}

TEST(ThreadState, BeginsARunOfCallsWhereThePlaceChanges) {
  ThreadState& thread = ThreadState::current();
  const std::int64_t first = thread.call_group_at(5);
  EXPECT_EQ(thread.call_group_at(5), first);
  const std::int64_t second = thread.call_group_at(6);
  EXPECT_NE(second, first);
  EXPECT_NE(thread.new_call_group(), second);
  EXPECT_NE(thread.call_group_at(5), first) << "it came back";
}

}  // namespace thread_state_test
}  // namespace ampprof::profiler
