// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace ampprof::profiler {

/// Which module the forward op belonged to that made an autograd node, by the node's sequence number.
///
/// A ring of the newest 65,536 nodes: a graph that is kept longer loses its module paths, nothing else. Not
/// thread-safe. Sequence numbers count per thread, so forward passes on several threads can take each other's place.
class BackwardLinks {
 public:
  void link(std::uint64_t first, std::uint64_t last_excluded, std::int32_t module) {
    for (std::uint64_t number = first; number < last_excluded; ++number) {
      ring_[number % kSize] = {number + 1, module};
    }
  }

  std::optional<std::int32_t> module_of(std::uint64_t number) const {
    const Entry& entry = ring_[number % kSize];
    if (entry.number_plus_1 != number + 1) return std::nullopt;
    return entry.module;
  }

 private:
  static constexpr std::size_t kSize = 1 << 16;
  struct Entry {
    std::uint64_t number_plus_1 = 0;  ///< 0 is an empty place
    std::int32_t module = 0;
  };
  std::array<Entry, kSize> ring_{};
};

}  // namespace ampprof::profiler
