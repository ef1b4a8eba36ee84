// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace ampprof::profiler {

/// Caches recent lookups in a hash table of the caller, since each step repeats them. Without the cache, searching that
/// table would be most of the cost of a lookup. The cache is direct-mapped: a key evicts another key in the same slot.
template <typename Value>
class LookupCache {
 public:
  /// Returns the value stored under this key; a fresh Value if there is none, or if another key evicted it.
  Value& operator[](std::uint64_t key) {
    auto& [known, value] = places_[key * 0x9E3779B97F4A7C15ull >> 54];
    if (known != key) {
      known = key;
      value = {};
    }
    return value;
  }

 private:
  std::array<std::pair<std::uint64_t, Value>, 1024> places_{};
};

}  // namespace ampprof::profiler
