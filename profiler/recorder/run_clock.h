// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace ampprof::profiler {

/// Measures the time since the recording began, and adds up the time that ampprof takes. Thread-safe, without a lock.
class RunClock {
 public:
  std::int64_t now_ns() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - started_).count();
  }

  void add_overhead(std::int64_t ns) { overhead_ns_.fetch_add(ns, std::memory_order_relaxed); }
  /// Returns ampprof's own time so far, in nanoseconds, added up over threads.
  std::int64_t overhead_ns() const { return overhead_ns_.load(std::memory_order_relaxed); }

 private:
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::atomic<std::int64_t> overhead_ns_{0};
};

/// Counts its lifetime as ampprof's own time. A nested object adds nothing.
class [[nodiscard]] OverheadTime {
 public:
  explicit OverheadTime(RunClock& clock) : clock_(clock), is_outermost_(depth_++ == 0), begun_ns_(clock.now_ns()) {}
  ~OverheadTime() {
    --depth_;
    if (!is_outermost_) return;
    const std::int64_t ns = clock_.now_ns() - begun_ns_;
    clock_.add_overhead(ns);
    of_thread_ += ns;
  }
  OverheadTime(const OverheadTime&) = delete;
  OverheadTime& operator=(const OverheadTime&) = delete;

  /// Returns the time minus what this thread has counted as ampprof's own. The difference of two results is the
  /// uncounted time between the calls.
  static std::int64_t not_counted_ns(const RunClock& clock) { return clock.now_ns() - of_thread_; }

 private:
  static inline thread_local int depth_ = 0;
  static inline thread_local std::int64_t of_thread_ = 0;

  RunClock& clock_;
  bool is_outermost_;
  std::int64_t begun_ns_;
};

}  // namespace ampprof::profiler
