// SPDX-License-Identifier: Apache-2.0
#include "profiler/calls/thread_state.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_map>

namespace ampprof::profiler {
namespace {

/// Numbers threads. Never destroyed, because threads still start and end while the process exits.
struct Numbers {
  std::mutex mutex;
  std::unordered_map<std::uint32_t, std::int32_t> by_os_thread;
  std::int32_t next = 0;
};

std::atomic<std::uint64_t> g_session{0};

Numbers& numbers() {
  static auto& only = *new Numbers;
  return only;
}

std::int32_t next_number() {
  const std::lock_guard lock(numbers().mutex);
  return numbers().by_os_thread[static_cast<std::uint32_t>(gettid())] = numbers().next++;
}

}  // namespace

ThreadState::ThreadState() : ThreadState(next_number()) {}

ThreadState::ThreadState(std::int32_t known_number) : number(known_number), session_(g_session.load()) {}

std::int64_t ThreadState::new_call_group() { return static_cast<std::int64_t>(number) << 40 | ++runs_; }

std::int64_t ThreadState::call_group_at(std::uint64_t place) {
  if (std::exchange(run_place_, place) != place) run_ = new_call_group();
  return run_;
}

void ThreadState::add_cast(const CastRecord& cast) {
  const auto same = [&](const CastRecord& other) { return other.from == cast.from && other.to == cast.to; };
  const auto known = std::ranges::find_if(casts, same);
  if (known == casts.end()) return casts.push_back(cast);
  known->casts += cast.casts;
  known->cache_hits += cast.cache_hits;
  known->bytes += cast.bytes;
  known->duration_ns += cast.duration_ns;
  known->rounded_twice += cast.rounded_twice;
}

void ThreadState::forget_all() { ++g_session; }

std::int32_t ThreadState::number_of(std::uint32_t os_thread) {
  const std::lock_guard lock(numbers().mutex);
  const auto found = numbers().by_os_thread.find(os_thread);
  return found == numbers().by_os_thread.end() ? 0 : found->second;
}

ThreadState& ThreadState::current() {
  thread_local ThreadState state;
  if (state.session_ != g_session.load(std::memory_order_relaxed)) state = ThreadState(state.number);
  return state;
}

}  // namespace ampprof::profiler
