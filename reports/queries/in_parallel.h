// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <future>
#include <thread>
#include <utility>
#include <vector>

namespace ampprof::queries {

/// Returns the number of threads for `count` items, including the calling thread.
inline std::size_t threads_for(std::size_t count) {
  constexpr std::size_t kMost = 8;
  constexpr std::size_t kEach = 4;  // starting a thread costs more than it saves for fewer items
  return std::clamp<std::size_t>(count / kEach, 1,
                                 std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMost));
}

/// Calls `work(worker, i)` for each i below `count` on several threads. The calling thread works with `own`, each
/// further thread with a worker from `make()`. `make()` runs on the calling thread and returns null if no further
/// worker is available. `work` must write to separate data for each i. Rethrows the exception of `work` with the lowest
/// i among those thrown.
template <class Worker, class Make, class Work>
void in_parallel(std::size_t count, Worker& own, const Make& make, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> failures(count);
  const auto take_share = [&](Worker& worker) {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(worker, i);
      } catch (...) {
        failures[i] = std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::future<void>> others;
  for (std::size_t thread = 1; thread < threads_for(count); ++thread) {
    auto worker = make();
    if (!worker) break;
    others.push_back(std::async(std::launch::async | std::launch::deferred,
                                [&take_share, worker = std::move(worker)] { take_share(*worker); }));
  }
  take_share(own);
  for (std::future<void>& other : others) other.get();
  const auto failed =
      std::ranges::find_if(failures, [](const std::exception_ptr& failure) { return failure != nullptr; });
  if (failed != failures.end()) std::rethrow_exception(*failed);
}

}  // namespace ampprof::queries
