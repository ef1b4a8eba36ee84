// SPDX-License-Identifier: Apache-2.0
#undef _FORTIFY_SOURCE  // its longjmp() rejects jumps to another fiber's stack
#include <csetjmp>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "tests/host_cuda/device_code.h"
#include "tests/host_cuda/fiber.h"

uint3 threadIdx;
uint3 blockIdx;
dim3 blockDim;
dim3 gridDim;

// Bounds of the section with __shared__ variables. Null if no kernel has such variables.
extern "C" [[gnu::weak]] char __start_cuda_shared[];
extern "C" [[gnu::weak]] char __stop_cuda_shared[];

namespace ampprof::host_cuda {
namespace {

constexpr unsigned kMostThreads = 1024;
constexpr int kNotInitialised = 0xA5;
constexpr const char* kBlockBarrier = "__syncthreads";
constexpr const char* kActiveMask = "__activemask";

enum class State { CanRun, Waits, Exited };

struct Thread {
  Fiber fiber;
  uint3 index{};
  State state = State::CanRun;
  Collective at{};  ///< the collective at which the thread waits
  std::uint64_t given = 0;
  std::uint64_t taken = 0;

  /// Compares names by address, because all names are literals in one source.
  bool waits_at(const char* name) const { return state == State::Waits && at.name == name; }
  bool waits_with(const Collective& other) const { return waits_at(other.name) && at.mask == other.mask; }
};

/// Returns the threads. All blocks reuse them, so that stacks are allocated only once.
std::vector<Thread>& all_threads() {
  static std::vector<Thread>& all = *new std::vector<Thread>(kMostThreads);
  return all;
}

std::span<Thread> threads_of(std::size_t count) {
  if (count == 0 || count > kMostThreads) throw std::logic_error("no block has this many threads");
  return std::span(all_threads()).first(count);
}

uint3 index_in(dim3 size, unsigned number) {
  return {number % size.x, number / size.x % size.y, number / size.x / size.y};
}

/// A block, which runs on the shared threads. Only one block exists at a time.
class Block {
 public:
  explicit Block(const std::function<void()>& kernel, dim3 size) : threads_(threads_of(size.x * size.y * size.z)) {
    for (unsigned i = 0; i < threads_.size(); ++i) {
      threads_[i].index = index_in(size, i);
      threads_[i].state = State::CanRun;
      threads_[i].fiber.start([this, &kernel, i] { run_thread(kernel, threads_[i]); });
    }
  }

  /// Runs each warp as far as possible before the next one, and the warp's lanes in turn. Every other block runs warps
  /// and lanes backwards, so that threads without a barrier between them run in either order.
  void run(bool backwards) {
    do {
      for (std::size_t i = 0; i < warps(); ++i) run_warp(warp(backwards ? warps() - 1 - i : i), backwards);
    } while (release_block());
    const auto has_exited = [](const Thread& thread) { return thread.state == State::Exited; };
    if (!std::ranges::all_of(threads_, has_exited)) throw std::logic_error("a GPU would wait for ever: " + positions());
  }

  std::uint64_t wait(const Collective& at, std::uint64_t given) {
    Thread& thread = *running_;
    thread.at = at;
    thread.given = given;
    thread.state = State::Waits;
    thread.fiber.leave();
    return thread.taken;
  }

 private:
  void run_thread(const std::function<void()>& kernel, Thread& thread) {
    try {
      kernel();
    } catch (...) {
      error_ = std::current_exception();
    }
    thread.state = State::Exited;
  }

  std::size_t warps() const { return (threads_.size() + kWarp - 1) / kWarp; }
  std::span<Thread> warp(std::size_t number) {
    const std::size_t first = number * kWarp;
    return threads_.subspan(first, std::min<std::size_t>(kWarp, threads_.size() - first));
  }

  void run_warp(std::span<Thread> warp, bool backwards) {
    do {
      for (std::size_t i = 0; i < warp.size(); ++i) resume(warp[backwards ? warp.size() - 1 - i : i]);
    } while (release_warp(warp));
  }

  void resume(Thread& thread) {
    if (thread.state != State::CanRun) return;
    running_ = &thread;
    threadIdx = thread.index;
    thread.fiber.resume();
    if (error_) std::rethrow_exception(error_);
  }

  /// Resumes all threads if every thread that has not exited waits at the barrier. Returns whether any resumed.
  bool release_block() {
    bool any = false;
    for (const Thread& thread : threads_) {
      if (thread.state != State::Exited && !thread.waits_at(kBlockBarrier)) return false;
      any |= thread.state != State::Exited;
    }
    for (Thread& thread : threads_) {
      if (thread.state == State::Waits) thread.state = State::CanRun;
    }
    return any;
  }

  /// Resumes the lanes whose collective is complete. Returns whether any resumed.
  bool release_warp(std::span<Thread> warp) {
    bool any = false;
    unsigned active = 0;
    for (unsigned lane = 0; lane < warp.size(); ++lane) {
      Thread& thread = warp[lane];
      if (thread.waits_at(kActiveMask)) active |= 1U << lane;
      if (thread.state == State::Waits && thread.at.mask != 0 && have_met(warp, lane)) {
        give_results(warp, Collective(thread.at));
        any = true;
      }
    }
    if (any || active == 0) return any;
    for (Thread& thread : warp) {
      if (!thread.waits_at(kActiveMask)) continue;
      thread.taken = active;
      thread.state = State::CanRun;
    }
    return true;
  }

  /// Returns whether all lanes in the waiting lane's mask have arrived. Throws if one of them can no longer arrive.
  bool have_met(std::span<const Thread> warp, unsigned asking) {
    const Collective& at = warp[asking].at;
    if ((at.mask >> asking & 1U) == 0) throw std::logic_error("a lane is not in its own mask: " + positions());
    bool all = true;
    for (unsigned lane = 0; lane < kWarp; ++lane) {
      if ((at.mask >> lane & 1U) == 0) continue;
      if (lane >= warp.size() || warp[lane].state == State::Exited) {
        throw std::logic_error("a mask names a lane that has exited: " + positions());
      }
      all &= warp[lane].waits_with(at);
    }
    return all;
  }

  static void give_results(std::span<Thread> warp, const Collective& at) {
    Values given{};
    for (unsigned lane = 0; lane < warp.size(); ++lane) given[lane] = warp[lane].given;
    for (unsigned lane = 0; lane < warp.size(); ++lane) {
      if ((at.mask >> lane & 1U) == 0) continue;
      warp[lane].taken = at.result(given, at.mask, lane, warp[lane].at.argument);
      warp[lane].state = State::CanRun;
    }
  }

  /// Lists ranges of threads that wait at the same place.
  std::string positions() const {
    const auto place_of = [](const Thread& thread) {
      return thread.state == State::Exited ? std::string("exited") : "at " + std::string(thread.at.name);
    };
    std::string text;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (i != 0 && place_of(threads_[i]) == place_of(threads_[i - 1])) continue;
      text += (i == 0 ? "thread " : ", from thread ") + std::to_string(i) + ' ' + place_of(threads_[i]);
    }
    return text;
  }

  std::span<Thread> threads_;
  Thread* running_ = nullptr;
  std::exception_ptr error_;
};

Block* current = nullptr;

std::mutex& launches() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

void run(const std::function<void()>& kernel, dim3 grid, dim3 block) {
  const std::lock_guard one_at_a_time(launches());
  blockDim = block;
  gridDim = grid;
  for (unsigned number = 0; number < grid.x * grid.y * grid.z; ++number) {
    blockIdx = index_in(grid, number);
    if (__start_cuda_shared != nullptr) {
      std::memset(__start_cuda_shared, kNotInitialised,
                  static_cast<std::size_t>(__stop_cuda_shared - __start_cuda_shared));
    }
    Block all(kernel, block);
    current = &all;
    try {
      all.run(number % 2 == 0);
    } catch (...) {
      all_threads() = std::vector<Thread>(kMostThreads);  // threads of the failed block are still in the kernel
      throw;
    }
  }
}

std::uint64_t meet(const Collective& collective, std::uint64_t given) { return current->wait(collective, given); }

void meet_block() { current->wait({kBlockBarrier, 0, 0, nullptr}, 0); }

unsigned meet_active() { return static_cast<unsigned>(current->wait({kActiveMask, 0, 0, nullptr}, 0)); }

}  // namespace ampprof::host_cuda
