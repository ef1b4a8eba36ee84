// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace ampprof::profiler {

/// When backward passes of ampprof's own ran. Autograd launches their kernels on threads of its own, which carry no id
/// of an op call: what such a thread launches meanwhile is ampprof's. Times are the recorder's, in nanoseconds.
/// Thread-safe.
class OwnPasses {
 public:
  static constexpr std::int64_t kRemembered = 60'000'000'000;  ///< ns; an activity settles earlier

  /// A pass begins on this thread. They do not nest.
  void begin(std::int64_t now_ns);
  /// The pass of this thread has ended.
  void end(std::int64_t now_ns);
  /// Returns whether a pass ran then.
  bool contain(std::int64_t ns) const;

 private:
  struct Pass {
    std::int64_t begun_ns;
    std::int64_t ended_ns;
  };

  mutable std::mutex mutex_;
  std::map<std::thread::id, std::int64_t> running_;  ///< when each began
  std::deque<Pass> ended_;
};

}  // namespace ampprof::profiler
