// SPDX-License-Identifier: Apache-2.0
#include "profiler/calls/thread_state.h"

#include <unistd.h>

#include <mutex>
#include <unordered_map>

namespace ampprof::profiler {
namespace {

/// Never destroyed: threads come and go while the process ends.
struct Numbers {
  std::mutex mutex;
  std::unordered_map<std::uint32_t, std::int32_t> by_os_thread;
  std::int32_t next = 0;
};

Numbers& numbers() {
  static auto& only = *new Numbers;
  return only;
}

std::int32_t next_number() {
  const std::lock_guard lock(numbers().mutex);
  return numbers().by_os_thread[static_cast<std::uint32_t>(gettid())] = numbers().next++;
}

}  // namespace

ThreadState::ThreadState() : number(next_number()) {}

std::int32_t ThreadState::number_of(std::uint32_t os_thread) {
  const std::lock_guard lock(numbers().mutex);
  const auto found = numbers().by_os_thread.find(os_thread);
  return found == numbers().by_os_thread.end() ? 0 : found->second;
}

ThreadState& ThreadState::current() {
  thread_local ThreadState state;
  return state;
}

}  // namespace ampprof::profiler
