// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "reports/records/exponents.h"
#include "reports/records/statistics.h"

namespace ampprof::error {

/// Statistics of one output, or of a part of it. Parts can be merged.
struct OutputStatistics {
  std::optional<ErrorStats> local{};  ///< compared with the reference; empty if there is none
  RangeStats ranges{};
  ExponentHistogram exponents{};    ///< exponents of the reference, or of the output if there is none
  std::int64_t minus_infinite = 0;  ///< number of -inf in ranges.nonfinite; attention masks contain -inf

  void merge(const OutputStatistics& other) {
    if (other.local) {
      if (!local) local.emplace();
      local->merge(*other.local);
    }
    ranges.merge(other.ranges);
    exponents.merge(other.exponents);
    minus_infinite += other.minus_infinite;
  }

  bool operator==(const OutputStatistics&) const = default;
};

}  // namespace ampprof::error
