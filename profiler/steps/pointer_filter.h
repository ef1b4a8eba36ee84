// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>

namespace ampprof::profiler {

/// Rules out quickly that a pointer is in a set. A Bloom filter with one hash function. A thousand pointers set 6 % of
/// its bits.
class PointerFilter {
 public:
  void add(const void* pointer) { bits_.set(place_of(pointer)); }
  /// Returns true for each pointer that was added, false for most others.
  bool may_have(const void* pointer) const { return bits_[place_of(pointer)]; }

 private:
  static constexpr int kBits = 14;
  static std::size_t place_of(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) * 0x9E3779B97F4A7C15ull >> (64 - kBits);
  }
  std::bitset<std::size_t{1} << kBits> bits_;
};

}  // namespace ampprof::profiler
