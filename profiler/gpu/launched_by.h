// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

#include "reports/records/exponents.h"

namespace ampprof::profiler {

/// The op call that launches GPU work, encoded as a CUPTI external id: the segment in the upper 32 bits, the call site
/// in the lower 32. Encoding needs no table of calls.
struct LaunchedBy {
  std::int64_t segment = 0;
  std::int64_t call_site = 0;

  /// Returns whether both ids are from 0 to 2^32 - 1.
  constexpr bool fits() const { return in_32_bits(segment) && in_32_bits(call_site); }

  /// Returns the external id; 0, which means unknown, if the ids do not fit.
  constexpr std::uint64_t encode() const {
    return fits() ? static_cast<std::uint64_t>(segment) << 32 | static_cast<std::uint64_t>(call_site) : 0;
  }
  static constexpr LaunchedBy decode(std::uint64_t external_id) {
    return {static_cast<std::int64_t>(external_id >> 32), static_cast<std::int64_t>(external_id & kLargest)};
  }

  /// Returns the mark of ampprof's own launches: replays, comparisons, copies of results.
  static constexpr LaunchedBy ampprof() { return {0, kLargest}; }

  /// Returns the mark of the program's launches in a step that is not recorded.
  static constexpr LaunchedBy unrecorded_step() { return {0, kLargest - 1}; }

  bool operator==(const LaunchedBy&) const = default;

 private:
  static constexpr std::int64_t kLargest = std::numeric_limits<std::uint32_t>::max();
  static constexpr bool in_32_bits(std::int64_t id) { return id >= 0 && id <= kLargest; }
};

}  // namespace ampprof::profiler
