// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace ampprof::profiler {

/// Describes the calls that wait for the end of a step, with their statistics still on a device.
struct PendingLoad {
  std::size_t calls = 0;
  std::int64_t waited_ns = 0;      ///< ns since the first of these calls ended
  bool is_in_training = false;     ///< an optimizer has updated before, and the newest call is not in inference
  bool awaits_loss_scale = false;  ///< a backward pass gets its loss scale only at the end of its step
};

inline constexpr std::size_t kMostPendingCalls = 4096;
inline constexpr std::size_t kMostPendingCallsOfAPass = 16 * kMostPendingCalls;
inline constexpr std::size_t kMostPendingChecksums = 4096;        ///< with --reference off
inline constexpr std::int64_t kLongestPendingWait = 250'000'000;  ///< in ns; outside of training

/// Returns whether to read the statistics now, although no step has ended. In training a step will end, so only the
/// number of calls matters.
constexpr bool waits_too_long(const PendingLoad& load) {
  if (load.awaits_loss_scale) return load.calls >= kMostPendingCallsOfAPass;
  if (load.calls >= kMostPendingCalls) return true;
  return !load.is_in_training && load.calls > 0 && load.waited_ns >= kLongestPendingWait;
}

}  // namespace ampprof::profiler
