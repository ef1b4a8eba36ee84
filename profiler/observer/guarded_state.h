// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "profiler/observer/session_state.h"
#include "profiler/recorder/run_clock.h"

namespace ampprof::profiler {

class GuardedState;

/// Holds the session's lock for its lifetime, and is the only access to the state that the lock guards. A function that
/// needs the lock takes a `Locked`.
class [[nodiscard]] Locked {
 public:
  explicit Locked(GuardedState& guarded);
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

  SessionState* operator->() const { return &state_; }

 private:
  std::lock_guard<std::mutex> lock_;
  SessionState& state_;
};

/// Keeps the session's state behind its lock. Most op calls end without the lock: they store their end time in an
/// atomic, and the next `Locked` copies it into the state before any other access.
class GuardedState {
 public:
  /// `clock` must outlive this object.
  explicit GuardedState(const RunClock& clock) : clock_(clock) {}

  /// Stores the time at which an op call ended, without the lock.
  void leave_end(std::int64_t now_ns) { last_end_ns_.store(now_ns, std::memory_order_relaxed); }

 private:
  friend class Locked;
  void take_up() {
    const std::int64_t end_ns = last_end_ns_.load(std::memory_order_relaxed);
    if (end_ns != known_end_ns_) {
      known_end_ns_ = end_ns;
      state_.loops.op_ended(end_ns);
    }
    const std::int64_t overhead_ns = clock_.overhead_ns();
    if (overhead_ns == known_overhead_ns_) return;
    state_.loops.first().steps.segment().add_overhead(overhead_ns - known_overhead_ns_);
    known_overhead_ns_ = overhead_ns;
  }

  const RunClock& clock_;
  std::atomic<std::int64_t> last_end_ns_{0};
  std::mutex mutex_;  ///< guards the members below
  std::int64_t known_end_ns_ = 0;
  std::int64_t known_overhead_ns_ = 0;
  SessionState state_;
};

// Inline because every op call locks the state.
inline Locked::Locked(GuardedState& guarded) : lock_(guarded.mutex_), state_(guarded.state_) { guarded.take_up(); }

}  // namespace ampprof::profiler
