// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace ampprof::profiler {

/// Maps autograd nodes to the module and call site of their forward op. A node is identified by its sequence number and
/// the thread that made it.
///
/// Keeps the newest 65,536 nodes in a ring buffer. Nodes of a graph that lives longer lose only their module paths and
/// lines. Not thread-safe.
class BackwardLinks {
 public:
  struct Forward {
    std::int32_t module = 0;     ///< id of the module's path
    std::int64_t call_site = 0;  ///< id of the call site; 0 if unknown

    bool operator==(const Forward&) const = default;
  };

  /// Links the nodes `first` up to, but excluding, `last_excluded` to their forward op. `thread` is the thread id that
  /// LibTorch stores in these nodes (at::RecordFunction::currentThreadId()).
  void link(std::uint64_t first, std::uint64_t last_excluded, std::uint64_t thread, const Forward& forward) {
    for (std::uint64_t number = first; number < last_excluded; ++number) {
      ring_[place_of(number, thread)] = {number + 1, thread, forward};
    }
  }

  std::optional<Forward> forward_of(std::uint64_t number, std::uint64_t thread) const {
    const Entry& entry = ring_[place_of(number, thread)];
    if (entry.number_plus_1 != number + 1 || entry.thread != thread) return std::nullopt;
    return entry.forward;
  }

 private:
  static constexpr std::size_t kSize = 1 << 16;
  // Each thread counts its own nodes from 0, so nodes of two threads with equal numbers get different slots.
  static std::size_t place_of(std::uint64_t number, std::uint64_t thread) { return (number + thread * 7919) % kSize; }
  struct Entry {
    std::uint64_t number_plus_1 = 0;  ///< sequence number + 1, so that 0 marks an empty slot
    std::uint64_t thread = 0;
    Forward forward;
  };
  std::array<Entry, kSize> ring_{};
};

}  // namespace ampprof::profiler
