// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder/call_queue.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace ampprof::profiler {
namespace call_queue_test {

PlainCall numbered(std::int64_t number) {
  OpCall call;
  call.start_ns = number;
  return PlainCall(call);
}

std::vector<std::int64_t> taken_from(CallQueue& queue) {
  std::vector<std::int64_t> numbers;
  queue.take([&](const PlainCall& call) { numbers.push_back(call.start_ns); });
  return numbers;
}

TEST(CallQueue, GivesCallsInTheirOrderOnce) {
  CallQueue queue;
  EXPECT_TRUE(taken_from(queue).empty());
  std::int64_t pushed = 0;
  std::int64_t taken = 0;
  for (const int more : {1, 1022, 1, 1, 1023, 1024, 5000, 0, 3}) {
    for (int i = 0; i < more; ++i) ASSERT_TRUE(queue.push(numbered(pushed++)));
    for (const std::int64_t number : taken_from(queue)) EXPECT_EQ(number, taken++);
    EXPECT_EQ(taken, pushed);
  }
}

TEST(CallQueue, LosesNothingBetweenTwoThreads) {
  constexpr std::int64_t kCalls = 1'000'000;
  CallQueue queue;
  std::thread pushing([&] {
    for (std::int64_t i = 0; i < kCalls; ++i) {
      while (!queue.push(numbered(i))) std::this_thread::yield();
    }
  });
  std::int64_t taken = 0;
  while (taken < kCalls) {
    queue.take([&](const PlainCall& call) { ASSERT_EQ(call.start_ns, taken++); });
  }
  pushing.join();
  EXPECT_TRUE(taken_from(queue).empty());
}

TEST(CallQueue, RefusesCallsWhileItIsFull) {
  CallQueue queue;
  std::size_t pushed = 0;
  while (queue.push(numbered(0))) ++pushed;
  EXPECT_EQ(pushed, CallQueue::kMostCalls);
  EXPECT_FALSE(queue.push(numbered(0)));
  EXPECT_EQ(taken_from(queue).size(), pushed);
  EXPECT_TRUE(queue.push(numbered(7)));
  EXPECT_EQ(taken_from(queue), std::vector<std::int64_t>{7});
}

}  // namespace call_queue_test
}  // namespace ampprof::profiler
