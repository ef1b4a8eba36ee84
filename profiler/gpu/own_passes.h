// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace ampprof::profiler {

/// Remembers when ampprof's own backward passes ran. Autograd launches the kernels of a pass on its own threads, which
/// push no id of an op call. So launches of such a thread during a pass are ampprof's. Times are the recorder's, in
/// nanoseconds. Thread-safe.
class OwnPasses {
 public:
  static constexpr std::int64_t kRemembered = 60'000'000'000;  ///< ns; longer than activities wait for their launch

  /// Begins a pass on this thread. Passes do not nest.
  void begin(std::int64_t now_ns);
  /// Ends the pass of this thread.
  void end(std::int64_t now_ns);
  /// Returns whether a pass ran at this time.
  bool contain(std::int64_t ns) const;

 private:
  struct Pass {
    std::int64_t begun_ns;
    std::int64_t ended_ns;
  };

  mutable std::mutex mutex_;
  std::map<std::thread::id, std::int64_t> running_;  ///< start time of the pass that each thread is running
  std::deque<Pass> ended_;
};

}  // namespace ampprof::profiler
